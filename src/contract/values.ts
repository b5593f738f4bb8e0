/**
 * The closed value lists of the wire, spelled out here because the contract imports nothing of ours; a test
 * holds them equal to the lists of `domain/`.
 */
export const DAMAGE_TYPE_VALUES = [
  'scratch',
  'dent',
  'rust',
  'crack',
  'paint_damage',
  'glass_damage',
  'panel_damage',
] as const;
/** Words of an assessment request that stand for a type; echoed in `subtype`. */
export const TYPE_ALIAS_VALUES = [
  'oxidation',
  'stone_chip',
  'corrosion',
  'hail',
  'frame_damage',
  'trim_damage',
  'mirror_damage',
  'wheel_damage',
  'rocker_damage',
  'missing_part',
  'misaligned_part',
  'headlight_damage',
  'taillight_damage',
  'fog_light_damage',
  'shattered_glass',
] as const;
export const CURRENCY_VALUES = ['USD', 'EUR', 'GBP', 'JPY', 'CNY'] as const;
export const SEVERITY_VALUES = ['minor', 'moderate', 'severe', 'critical'] as const;
export const CONDITION_VALUES = ['excellent', 'good', 'fair', 'poor', 'critical'] as const;
export const PHOTO_TYPE_VALUES = ['exterior', 'interior', 'mechanical'] as const;
export const ANGLE_VALUES = [
  'front',
  'rear',
  'left_side',
  'right_side',
  'front_left',
  'front_right',
  'rear_left',
  'rear_right',
  'top',
  'interior',
  'dashboard',
  'engine',
  'trunk',
  'undercarriage',
] as const;
export const PART_VALUES = [
  'front_bumper',
  'rear_bumper',
  'hood',
  'roof',
  'trunk_lid',
  'front_fender_left',
  'front_fender_right',
  'front_door_left',
  'front_door_right',
  'rear_door_left',
  'rear_door_right',
  'quarter_panel_left',
  'quarter_panel_right',
  'windshield',
  'rear_window',
  'side_window_fl',
  'side_window_fr',
  'side_window_rl',
  'side_window_rr',
  'headlight_left',
  'headlight_right',
  'taillight_left',
  'taillight_right',
  'fog_light_left',
  'fog_light_right',
  'engine',
  'transmission',
  'suspension_fl',
  'suspension_fr',
  'suspension_rl',
  'suspension_rr',
  'exhaust_system',
  'fuel_system',
  'cooling_system',
  'brake_system',
] as const;
