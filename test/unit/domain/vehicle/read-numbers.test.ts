import { describe, expect, it } from 'vitest';
import {
  readOdometerLine,
  readPlate,
  readTimeLine,
  readVin,
} from '../../../../src/domain/vehicle/read-numbers.ts';

/** A line whose characters are all as certain, but for the one at `doubt`. */
const line = (text: string, certainty = 0.99, doubt = -1, doubtful = 0.3) => ({
  text,
  certainty: [...text].map((_, at) => (at === doubt ? doubtful : certainty)),
});

describe('a number plate', () => {
  it.each([
    ['M-AB 1234', 'MAB1234'],
    ['B·C 99', 'BC99'],
    ['7ABC123', '7ABC123'],
    ['TAXI', null],
    ['AB1', null],
    ['DL 8C AJ 1944', 'DL8CAJ1944'],
    ['LUVCAR1', 'LUVCAR1'],
    ['1 HITRADIO', null],
    ['ABCDEF12345', null],
  ])('%s reads %s', (text, value) => {
    expect(readPlate(line(text))?.value ?? null).toBe(value);
  });

  it('with a character that may be another is none, a blank may be', () => {
    expect(readPlate(line('AB 123', 0.9, 4))).toBeNull();
    expect(readPlate(line('AB 123', 0.9, 2))).toEqual({ value: 'AB123', confidence: 0.9 });
  });
});

describe('a VIN', () => {
  it.each([
    ['1M8GDM9AXKP042788', '1M8GDM9AXKP042788'],
    ['VIN: 1M8GDM9AXKP042788', '1M8GDM9AXKP042788'],
    ['*1M8GDM9AXKP042788*', '1M8GDM9AXKP042788'],
    ['WVWZZZ1KZ8W123456', 'WVWZZZ1KZ8W123456'],
    // A wrong check digit where there must be one.
    ['1M8GDM9A1KP042788', null],
    ['LFV2A21K0J4123457', null],
    ['1M8GDM9AXKP04278', null],
    ['1M8GDM9AXKP0427888', null],
    ['ABCDEFGHJKLMNPRST', null],
  ])('%s reads %s', (text, value) => {
    expect(readVin(line(text))?.value ?? null).toBe(value);
  });

  it.each([
    ['V1N1M8GDM9AXKP042788', 'VIN 1M8GDM9AXKP042788', '1M8GDM9AXKP042788'],
    ['VN1M8GDM9AXKP042788', 'VIN: 1M8GDM9AXKP042788', '1M8GDM9AXKP042788'],
    ['CHASS1SN01M8GDM9AXKP042788', 'Chassis No. 1M8GDM9AXKP042788', '1M8GDM9AXKP042788'],
    // More characters than caption and VIN, and fewer.
    ['V1N1M8GDM9AXKP04278', 'VIN 1M8GDM9AXKP04278', null],
    ['V1N1M8GDM9AXKP0427881', 'VIN 1M8GDM9AXKP0427881', null],
    ['AB1M8GDM9AXKP042788', 'AB 1M8GDM9AXKP042788', null],
  ])('%s, by all characters %s, reads %s', (text, plain, value) => {
    expect(readVin(line(text), line(plain))?.value ?? null).toBe(value);
  });

  it('needs more certain characters where no check digit guards it', () => {
    expect(readVin(line('1M8GDM9AXKP042788', 0.99, 3, 0.8))?.confidence).toBe(0.8);
    expect(readVin(line('WVWZZZ1KZ8W123456', 0.99, 3, 0.8))).toBeNull();
    expect(readVin(line('1M8GDM9AXKP042788', 0.99, 3, 0.5))).toBeNull();
  });
});

describe('an odometer', () => {
  it.each([
    ['48210 km', '48210 km'],
    ['ODO 048210 km', '48210 km'],
    ['48 210km', '48210 km'],
    ['Total 30,512 mi', '30512 mi'],
    ['30.512 miles', '30512 mi'],
    ['48210', null],
    ['1200 km/h', null],
    ['Trip 1204 km', null],
    ['Range 1050 km', null],
    ['999 km', null],
    ['123456789 km', null],
    ['1234.5 km', null],
  ])('%s reads %s', (text, value) => {
    expect(readOdometerLine(line(text))?.value ?? null).toBe(value);
  });

  it('with a digit that may be another is none', () =>
    expect(readOdometerLine(line('48210 km', 0.9, 2))).toBeNull());
});

describe('a time printed into a photo', () => {
  it.each([
    ['2020/11/10 10:36', '2020-11-10T10:36:00'],
    ['2020/11/1010:36', '2020-11-10T10:36:00'],
    ['10.11.2020, 23:59:07', '2020-11-10T23:59:00'],
    ['Shot at 2020-11-10 00:00', '2020-11-10T00:00:00'],
    ['2020/13/10 10:36', null],
    ['2020/11/10 24:61', null],
    ['2020/11/10', null],
    ['0176 12345678', null],
  ])('%s reads %s', (text, time) => {
    expect(readTimeLine(line(text))).toBe(time);
  });

  it('with a digit that may be another is none', () =>
    expect(readTimeLine(line('2020/11/10 10:36', 0.9, 12))).toBeNull());
});
