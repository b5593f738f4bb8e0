import { describe, expect, it } from 'vitest';
import { ANGLES } from '../../../../src/domain/photo.ts';
import { readAngleFromName } from '../../../../src/images/find/angle-from-name.ts';

describe('readAngleFromName', () => {
  it.each(ANGLES)('knows %s as the contract spells it', (angle) => {
    expect(readAngleFromName(`${angle}.jpg`)).toBe(angle);
    expect(readAngleFromName(`photos/IMG_0${ANGLES.indexOf(angle)}-${angle.toUpperCase()}.HEIC`)).toBe(angle);
  });

  it.each([
    ['IMG_02_rear.HEIC', 'rear'],
    ['back.png', 'rear'],
    ['left-side.jpg', 'left_side'],
    ['Left Side (2).jpeg', 'left_side'],
    ['right.jpg', 'right_side'],
    ['nearside.jpg', 'left_side'],
    ['offside 3.jpg', 'right_side'],
    ['frontLeft.jpg', 'front_left'],
    ['FrontRight2.JPG', 'front_right'],
    ['leftfront.jpg', 'front_left'],
    ['rear-left-corner.jpg', 'rear_left'],
    ['back right quarter.jpg', 'rear_right'],
    ['front_three_quarter_left.jpg', 'front_left'],
    ['02FL.jpg', 'front_left'],
    ['IMG_0004_RR.jpg', 'rear_right'],
    ['front_left_door.jpg', 'left_side'],
    ['left_rear_wheel.jpg', 'left_side'],
    ['quarter_panel_right.jpg', 'right_side'],
    ['hood.jpg', 'front'],
    ['headlight_left.jpg', 'front_left'],
    ['taillight-right.jpg', 'rear_right'],
    ['rear_windshield.jpg', 'rear'],
    ['tailgate.jpg', 'rear'],
    ['trunk_lid.jpg', 'rear'],
    ['boot.jpg', 'trunk'],
    ['trunk interior.jpg', 'trunk'],
    ['roof.jpg', 'top'],
    ['view_from_above.jpg', 'top'],
    ['back_seat.jpg', 'interior'],
    ['front seats.jpg', 'interior'],
    ['odometer.jpg', 'dashboard'],
    ['interior_dashboard.jpg', 'dashboard'],
    ['engine_bay.jpg', 'engine'],
    ['under_the_hood.jpg', 'engine'],
    ['underbody.jpg', 'undercarriage'],
    ['under.jpg', 'undercarriage'],
    ['front_left_driver.jpg', 'front_left'],
    ['driver seat.jpg', 'interior'],
    ['front.final.v2.jpg', 'front'],
    ['C:\\photos\\rear.jpg', 'rear'],
  ])('%s → %s', (name, angle) => {
    expect(readAngleFromName(name)).toBe(angle);
  });

  it.each([
    'IMG_0001.jpg',
    'frontier.jpg',
    'nissan_frontier_2020.jpg',
    'backup.jpg',
    'copyright.jpg',
    'brighton.jpg',
    'bootleg.jpg',
    'laptop.jpg',
    'upright.jpg',
    'topaz.jpg',
    'engineer.jpg',
    'rearranged.jpg',
    'lr_export_range_rover.jpg',
    'RR Phantom.jpg',
    'side.jpg',
    'driver side.jpg',
    'front_driver_side.jpg',
    'Rear PassengerSide 2.jpg',
    'rear_view_mirror.jpg',
    'front_to_rear.jpg',
    'left_and_right.jpg',
    'front/IMG_1.jpg',
    '',
    '.jpg',
    'constructor.jpg',
    '__proto__.png',
    '🚗.jpg',
  ])('%s says nothing', (name) => {
    expect(readAngleFromName(name)).toBeUndefined();
  });
});
