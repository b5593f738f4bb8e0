import { expect, it } from 'vitest';
import { ANGLES } from '../../../../src/domain/photo.ts';
import { readAngleFromName } from '../../../../src/images/find/angle-from-name.ts';

it.each(ANGLES)('a name says %s as the contract spells it', (angle) => {
  expect(readAngleFromName(`${angle}.jpg`)).toBe(angle);
  expect(readAngleFromName(`photos/IMG_0${ANGLES.indexOf(angle)}-${angle.toUpperCase()}.HEIC`)).toBe(angle);
});

it.each([
  ['front', ['hood.jpg', 'front.final.v2.jpg']],
  ['rear', ['IMG_02_rear.HEIC', 'back.png', 'rear_windshield.jpg', 'tailgate.jpg', 'trunk_lid.jpg']],
  ['rear', ['C:\\photos\\rear.jpg']],
  ['left_side', ['left-side.jpg', 'Left Side (2).jpeg', 'nearside.jpg']],
  ['left_side', ['front_left_door.jpg', 'left_rear_wheel.jpg']],
  ['right_side', ['right.jpg', 'offside 3.jpg', 'quarter_panel_right.jpg']],
  ['front_left', ['frontLeft.jpg', 'leftfront.jpg', 'front_three_quarter_left.jpg', '02FL.jpg']],
  ['front_left', ['headlight_left.jpg', 'front_left_driver.jpg']],
  ['front_right', ['FrontRight2.JPG']],
  ['rear_left', ['rear-left-corner.jpg']],
  ['rear_right', ['back right quarter.jpg', 'IMG_0004_RR.jpg', 'taillight-right.jpg']],
  ['trunk', ['boot.jpg', 'trunk interior.jpg']],
  ['top', ['roof.jpg', 'view_from_above.jpg']],
  ['interior', ['back_seat.jpg', 'front seats.jpg', 'driver seat.jpg']],
  ['dashboard', ['odometer.jpg', 'interior_dashboard.jpg']],
  ['engine', ['engine_bay.jpg', 'under_the_hood.jpg']],
  ['undercarriage', ['underbody.jpg', 'under.jpg']],
])('names of %s: %j', (angle, names) => {
  for (const name of names) expect([name, readAngleFromName(name)]).toEqual([name, angle]);
});

it.each([
  ['no words', ['IMG_0001.jpg', '', '.jpg', '🚗.jpg', 'front/IMG_1.jpg']],
  ['a word inside another', ['nissan_frontier_2020.jpg', 'backup.jpg', 'copyright.jpg', 'bootleg.jpg']],
  ['a word inside another', ['laptop.jpg', 'topaz.jpg', 'engineer.jpg', 'rearranged.jpg']],
  ['letters of a maker', ['lr_export_range_rover.jpg', 'RR Phantom.jpg']],
  ['a side that depends on the country', ['side.jpg', 'front_driver_side.jpg', 'Rear PassengerSide 2.jpg']],
  ['a contradiction', ['rear_view_mirror.jpg', 'front_to_rear_left.jpg', 'left_and_right.jpg']],
  ['a property of objects', ['constructor.jpg', '__proto__.png']],
])('%s says nothing: %j', (_, names) => {
  for (const name of names) expect([name, readAngleFromName(name)]).toEqual([name, undefined]);
});
