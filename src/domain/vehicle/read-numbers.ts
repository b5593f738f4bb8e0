import { MAX_ODOMETER } from './claim-file.ts';
import { checkVin, VIN_LENGTH, VIN_PATTERN } from './vin.ts';

/** A line of text in a photo, with the probability of each character, 0 to 1. */
export interface TextLine {
  readonly text: string;
  readonly certainty: readonly number[];
}

/** A value read from a line, in the form used by `vehi.json`; `confidence` is that of its least certain character. */
export interface NumberRead {
  readonly value: string;
  readonly confidence: number;
}

/** Minimum certainty of every character; chosen on drawn labels (models/text.md). */
const MIN_PLATE_CHARACTER = 0.7;
const MIN_VIN_CHARACTER = 0.75;
/** Minimum certainty per character of a VIN without a valid check digit, as in Europe. */
const MIN_UNCHECKED_CHARACTER = 0.97;
const MIN_DIGIT = 0.6;

/**
 * Reads a number plate: 4 to 10 capitals and digits, with at least one digit, two from 8 characters on (a sticker has
 * words), and without blanks, hyphens and seals. Null if a character is uncertain.
 */
export function readPlate(line: TextLine): NumberRead | null {
  const read = joinCharacters(pickCharacters(line, /[A-Z0-9]/));
  const isPlate = /^(?=.*\d)(.{4,7}|(?=.*\d.*\d).{8,10})$/.test(read.value);
  return isPlate && read.confidence >= MIN_PLATE_CHARACTER ? read : null;
}

/** Words that precede a VIN on labels and registration papers. */
const VIN_CAPTION = /^\W*(?:V\.?I\.?N|FIN|CHASSIS|FRAME|IDENT|NO|NR)\b\.?(?:\W*(?:NO|NR|NUMBER))?/i;

/**
 * Reads a VIN, 17 characters, from a line with nothing else but a caption. Never corrects a reading: a North American
 * or Chinese VIN is rejected unless its check digit is right; elsewhere every character must be certain.
 * @param line the line read with VIN characters only, which garbles a caption
 * @param plain the line read with all characters
 */
export function readVin(line: TextLine, plain: TextLine = line): NumberRead | null {
  const all = pickCharacters(line, /[A-Z0-9]/);
  const caption = VIN_CAPTION.exec(plain.text)?.[0].replace(/\W/g, '') ?? '';
  const before = joinCharacters(all.slice(0, -VIN_LENGTH)).value;
  // A VIN contains no I, O or Q, so those of a caption are dropped or misread.
  const isCaption = new RegExp(`^${caption.toUpperCase().replace(/[IOQ]/g, '.?')}$`).test(before);
  if (!isCaption) return null;
  const read = joinCharacters(all.slice(-VIN_LENGTH));
  if (!new RegExp(VIN_PATTERN).test(read.value) || !/\d{3}$/.test(read.value)) return null;
  const isChecked = checkVin(read.value) === 'right';
  if (!isChecked && /^[1-5L]/.test(read.value)) return null;
  return read.confidence >= (isChecked ? MIN_VIN_CHARACTER : MIN_UNCHECKED_CHARACTER) ? read : null;
}

/** Minimum reading; smaller figures on a dashboard are trips, ranges and temperatures. */
const MIN_ODOMETER = 1000;

/** Reads an odometer from a line, a whole number with its unit: `48 210 km`, `ODO 30,512 mi`. Null for speeds and trips. */
export function readOdometerLine(line: TextLine): NumberRead | null {
  const found = /(?<![\d.,])(\d{1,3}(?:[ .,']\d{3})+|\d{4,7})\s*(km|mi|miles)(?![a-z/])/i.exec(line.text);
  if (!found || /trip|range|reichweite/i.test(line.text)) return null;
  const [, digits = '', unit = ''] = found;
  const value = Number(digits.replace(/\D/g, ''));
  const certainty = line.certainty.slice(found.index);
  const { confidence } = joinCharacters(pickCharacters({ text: digits, certainty }, /\d/));
  if (value < MIN_ODOMETER || value > MAX_ODOMETER || confidence < MIN_DIGIT) return null;
  return { value: `${value} ${/km/i.test(unit) ? 'km' : 'mi'}`, confidence };
}

/** A date, year first or last, and a time of day, as cameras print them; the blank between them may be lost. */
const PRINTED_TIME = /(?:(\d{4})\D(\d\d)\D(\d\d)|(\d\d)\D(\d\d)\D(\d{4}))\D{0,3}(\d\d)\D(\d\d)/;

/**
 * Reads the date and time that a camera printed into a photo: `2020/11/10 10:36`, `10.11.2020 10:36:05`.
 * @returns ISO 8601 without seconds and zone; null if a digit is uncertain or there is no such time
 */
export function readTimeLine(line: TextLine): string | null {
  const found = PRINTED_TIME.exec(line.text);
  if (!found || line.certainty.slice(found.index).some((one) => one < MIN_DIGIT)) return null;
  const [, year, month, day, dayFirst, monthAfter, yearLast, hour, minute] = found;
  const time = `${year ?? yearLast}-${month ?? monthAfter}-${day ?? dayFirst}T${hour}:${minute}:00`;
  return Number.isNaN(Date.parse(`${time}Z`)) ? null : time;
}

interface Character {
  readonly text: string;
  readonly certainty: number;
}

const pickCharacters = ({ text, certainty }: TextLine, kind: RegExp): readonly Character[] =>
  [...text].flatMap((one, at) => (kind.test(one) ? [{ text: one, certainty: certainty[at] ?? 0 }] : []));

const joinCharacters = (characters: readonly Character[]): NumberRead => ({
  value: characters.map(({ text }) => text).join(''),
  confidence: Math.min(1, ...characters.map(({ certainty }) => certainty)),
});
