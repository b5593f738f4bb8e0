import { NamedObject, Type } from '../lib/type.ts';
import { OptionalText } from './common.ts';

export const WarningSchema = NamedObject('Warning', { code: Type.String(), message: Type.String() });

/** Unknown request fields, probably misspelled; absent if there are none (extension). */
export const IgnoredFieldsSchema = Type.Array(
  Type.Object({ code: Type.Literal('unknown_field'), field: Type.String(), message: Type.String() }),
  { description: 'Unknown fields or parameters of the request, which were ignored (extension).' },
);

export const ModelUsedSchema = NamedObject('ModelUsed', {
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  precision: Type.String(),
  sha256: Type.String(),
  rules_sha256: OptionalText('SHA-256 of labels, curves, judge and limits (extension).'),
});

export const RegionUsedSchema = NamedObject('RegionUsed', {
  code: Type.String(),
  name: Type.String(),
  table_version: Type.String(),
  effective_date: Type.String(),
  source: Type.String(),
  tables_sha256: OptionalText(
    "SHA-256 of all price tables that priced the inspection, with the operator's own regions (extension).",
  ),
});
