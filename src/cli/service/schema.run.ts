import { AssessmentEnvelopeSchema } from '../../contract/assessment/assessment.ts';
import { EstimateDocumentSchema } from '../../contract/assessment/estimate-document.ts';
import { AssessmentRequestSchema } from '../../contract/assessment/request.ts';
import { ErrorEnvelopeSchema } from '../../contract/common.ts';
import { InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import { VisualRequestSchema } from '../../contract/requests.ts';
import { toJsonText } from '../../lib/json.ts';
import { readPackageVersion } from '../../lib/package-json.ts';
import { createOpenApiDocument } from '../../server/make-openapi.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';

type SchemaName = FlagsOf<'admin schema'>['of'];

const SCHEMAS = {
  inspection: InspectionEnvelopeSchema,
  assessment: AssessmentEnvelopeSchema,
  'estimate-lines': EstimateDocumentSchema,
  'inspection-request': VisualRequestSchema,
  'assessment-request': AssessmentRequestSchema,
  error: ErrorEnvelopeSchema,
} as const satisfies Record<Exclude<SchemaName, 'openapi'>, object>;

/** Prints a schema as JSON. */
export async function runSchema(name: SchemaName, ctx: CliContext): Promise<void> {
  const schema =
    name === 'openapi'
      ? await createOpenApiDocument(readPackageVersion())
      : { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...SCHEMAS[name] };
  await write(ctx.stdout, toJsonText(schema));
}
