import type { VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { DAMAGE_TYPES, type Severity } from '../../domain/damage.ts';
import { hashBytes } from '../../lib/ids.ts';
import { toJsonText } from '../../lib/json.ts';
import { type DamageRow, listDamageRows, listToCheckRows, readVehicleId } from '../finding-rows.ts';
import { describeAmountScope } from '../headline.ts';
import { DAMAGE_MEANING, describeDamage } from '../words.ts';
import type { Formatter } from './format.ts';
import { writeSentence } from './sentence.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const LEVEL = {
  minor: 'note',
  moderate: 'warning',
  severe: 'error',
  critical: 'error',
} as const satisfies Record<Severity, string>;

/**
 * Renders SARIF 2.1.0: one rule per damage type, one result per damage and per place to check (level note), one
 * artifact per photo. Photos have no lines, so results have no region; the bounding box is an attachment rectangle in
 * pixels of the upright photo.
 */
export const formatSarif: Formatter = (input, { addressOf = (url) => url }) => {
  const runs = [run(input, (url) => toUri(addressOf(url)))];
  return toJsonText({ $schema: SCHEMA, version: '2.1.0', runs });
};

type Uri = (url: string) => string;

function run(input: Result, uri: Uri) {
  const { inspection, assessment } = input;
  const vehicle_id = readVehicleId(input);
  const scope = describeAmountScope(input);
  return {
    tool: {
      driver: {
        name: 'vehi',
        semanticVersion: inspection?.meta.software_version ?? assessment?.meta.software_version,
        rules: DAMAGE_TYPES.map((type) => ({
          id: `vehi/${type}`,
          name: describeDamage(type).replace(/(?:^|\s)(\S)/g, (_, letter: string) => letter.toUpperCase()),
          shortDescription: { text: describeDamage(type) },
          fullDescription: { text: DAMAGE_MEANING[type] },
          defaultConfiguration: { level: 'warning' },
          properties: { tags: ['vehicle', 'damage'] },
        })),
      },
    },
    automationDetails: { id: `vehi/${inspection?.data.inspection_id ?? assessment?.data.assessment_id}` },
    invocations: [
      {
        executionSuccessful: inspection
          ? inspection.data.status === 'completed' && !inspection.data.partial
          : true,
        toolExecutionNotifications: [
          ...(inspection ? listNotifications(inspection.data, uri) : []),
          ...(scope === null
            ? []
            : [{ level: 'note', descriptor: { id: 'cost_scope' }, message: { text: scope } }]),
        ],
      },
    ],
    artifacts: (inspection?.data.images ?? []).map((photo) => ({
      location: { uri: uri(photo.url) },
      length: photo.bytes,
      mimeType: `image/${photo.format}`,
      roles: ['analysisTarget'],
      hashes: { 'sha-256': photo.sha256 },
    })),
    results: [...listDamageRows(input), ...listToCheckRows(input)].map((row) =>
      makeResult(row, vehicle_id, uri),
    ),
    properties: {
      vehicle_id,
      model_version: inspection?.meta.ai_model_version,
      region: inspection?.meta.region ?? assessment?.meta.region,
      coverage: describeCoverage(inspection?.data),
      cost_scope: scope ?? undefined,
    },
  };
}

/** Returns the coverage; undefined if the result has none. */
function describeCoverage(data: VisualInspection | undefined) {
  const { coverage } = data?.results ?? {};
  if (coverage === undefined || coverage.of === 0) return undefined;
  const { seen, too_small, not_seen, of, share, sides, parts } = coverage;
  const unseen = parts.filter(({ status }) => status !== 'seen').map(({ part }) => part);
  return { seen, too_small, not_seen, of, share, sides, unseen };
}

function listNotifications(data: VisualInspection, uri: Uri) {
  return [
    ...(data.failure
      ? [{ level: 'error', descriptor: { id: data.failure.code }, message: { text: data.failure.message } }]
      : []),
    ...data.rejected_images.map((image) => ({
      level: 'error',
      descriptor: { id: image.code },
      message: { text: image.message },
      locations: [makeLocation(uri(image.url))],
    })),
    ...data.warnings.map((warning) => ({
      level: 'warning',
      descriptor: { id: warning.code },
      message: { text: warning.message },
    })),
  ];
}

function makeResult(row: DamageRow, vehicleId: string, uri: Uri) {
  const [first, ...further] = row.found?.evidence ?? [];
  const logicalLocations = [{ name: row.part, kind: 'part' }];
  return {
    ruleId: `vehi/${row.type}`,
    ruleIndex: DAMAGE_TYPES.indexOf(row.type),
    level: row.toCheck ? 'note' : LEVEL[row.severity],
    message: { text: writeSentence(row) },
    locations: [
      first
        ? { ...makeLocation(uri(first.image_url), first.image_index), logicalLocations }
        : { logicalLocations },
    ],
    relatedLocations: further.map((evidence, index) => ({
      id: index + 1,
      ...makeLocation(uri(evidence.image_url), evidence.image_index),
    })),
    attachments: (row.found?.evidence ?? []).map(({ image_url, coordinates: { x, y, width, height } }) => ({
      artifactLocation: { uri: uri(image_url) },
      rectangles: [{ left: x, top: y, right: x + width, bottom: y + height }],
    })),
    partialFingerprints: { 'vehiDamage/v1': computeFingerprint(row, vehicleId) },
    rank: Math.round(row.score * 100) / 10,
    properties: {
      damage_id: row.id,
      certainty: row.toCheck ? 'to_check' : 'certain',
      severity: row.severity,
      severity_score: row.score,
      subtype: row.subtype,
      confidence: row.found?.confidence,
    },
  };
}

function makeLocation(uri: string, index?: number) {
  return { physicalLocation: { artifactLocation: { uri, index } } };
}

/** Computes a fingerprint that is stable across runs, from vehicle, damage id and type, excluding the box. */
function computeFingerprint(row: DamageRow, vehicleId: string): string {
  return hashBytes([vehicleId, row.id, row.type].join('\n'));
}

/** Converts a path or URL to a URI reference: percent-encoded, forward slashes, drive letters as file URIs. */
export function toUri(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path) && URL.canParse(path)) return new URL(path).href;
  const slashed = path.replaceAll('\\', '/').replace(/\p{Surrogate}/gu, '\uFFFD');
  const encoded = slashed.split('/').map(encodeURIComponent).join('/');
  return /^[a-z]:\//i.test(slashed) ? `file:///${encoded.replace('%3A', ':')}` : encoded;
}
