import type { Environment } from '../../domain/choices.ts';
import type { EstimateFlags } from '../outputs/estimate-flags.ts';
import type { PageFlags } from '../outputs/page-options.ts';

/** Flags of `vehi assess` as commander hands them over. */
export interface AssessFlags extends PageFlags, EstimateFlags {
  readonly damage?: readonly string[];
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: readonly string[];
  readonly region?: string;
  readonly regions?: string;
  readonly currency?: string;
  readonly associated?: string;
  readonly partPrices: boolean;
  readonly timeline: boolean;
  readonly vehicleId?: string;
  readonly vehicle?: readonly string[];
  readonly claim?: readonly string[];
  readonly supplement?: string;
  readonly marketValue?: string;
  readonly overrides?: string;
  readonly failOn?: string;
  readonly explain?: boolean;
  readonly quiet?: boolean;
  readonly now?: string;
  readonly remote?: boolean;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly profile?: Environment;
}
