/**
 * The part of SARIF 2.1.0 that we write, held as strictly as the standard holds it (property names, types, formats,
 * patterns, required members, closed objects). Written by hand from the OASIS standard, sections 3.13 to 3.58: the
 * published schema is in no npm package.
 */
const text = { type: 'string' };
const uri = { type: 'string', format: 'uri-reference' };
const index = { type: 'integer', minimum: -1 };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const bag = { type: 'object', properties: { tags: { type: 'array', items: text, uniqueItems: true } } };
const list = (items: object) => ({ type: 'array', items });
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties: { ...properties, properties: bag },
  required,
});

const message = {
  ...closed({ text, markdown: text, id: text, arguments: list(text) }),
  anyOf: [{ required: ['text'] }, { required: ['id'] }],
};
const multiformat = closed({ text, markdown: text }, ['text']);
const artifactLocation = closed({ uri, uriBaseId: text, index, description: message });
const logicalLocation = closed({
  name: text,
  index,
  fullyQualifiedName: text,
  decoratedName: text,
  parentIndex: index,
  kind: text,
});
const location = closed({
  id: index,
  physicalLocation: {
    ...closed({ artifactLocation }),
    anyOf: [{ required: ['address'] }, { required: ['artifactLocation'] }],
  },
  logicalLocations: { ...list(logicalLocation), uniqueItems: true },
  message,
});
const rectangle = closed({
  top: { type: 'number' },
  left: { type: 'number' },
  bottom: { type: 'number' },
  right: { type: 'number' },
  message,
});
const descriptorReference = {
  ...closed({ id: text, index, guid: text }),
  anyOf: [{ required: ['index'] }, { required: ['guid'] }, { required: ['id'] }],
};
const notification = closed(
  {
    locations: list(location),
    message,
    level,
    descriptor: descriptorReference,
    associatedRule: descriptorReference,
  },
  ['message'],
);
const reportingDescriptor = closed(
  {
    id: text,
    name: text,
    shortDescription: multiformat,
    fullDescription: multiformat,
    help: multiformat,
    helpUri: { type: 'string', format: 'uri' },
    defaultConfiguration: closed({
      enabled: { type: 'boolean' },
      level,
      rank: { type: 'number', minimum: -1, maximum: 100 },
    }),
  },
  ['id'],
);
const result = closed(
  {
    ruleId: text,
    ruleIndex: index,
    kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
    level,
    message,
    locations: list(location),
    relatedLocations: { ...list(location), uniqueItems: true },
    partialFingerprints: { type: 'object', additionalProperties: text },
    attachments: {
      ...list(
        closed({ description: message, artifactLocation, rectangles: list(rectangle) }, ['artifactLocation']),
      ),
      uniqueItems: true,
    },
    rank: { type: 'number', minimum: -1, maximum: 100 },
  },
  ['message'],
);
const artifact = closed({
  location: artifactLocation,
  length: index,
  roles: { ...list({ enum: ['analysisTarget', 'attachment', 'resultFile'] }), uniqueItems: true },
  mimeType: { type: 'string', pattern: '[^/]+/.+' },
  hashes: { type: 'object', additionalProperties: text },
});
const run = closed(
  {
    tool: closed(
      {
        driver: closed(
          {
            name: text,
            version: text,
            semanticVersion: text,
            informationUri: { type: 'string', format: 'uri' },
            rules: { ...list(reportingDescriptor), uniqueItems: true },
          },
          ['name'],
        ),
      },
      ['driver'],
    ),
    automationDetails: closed({ id: text, guid: text }),
    invocations: list(
      closed({ executionSuccessful: { type: 'boolean' }, toolExecutionNotifications: list(notification) }, [
        'executionSuccessful',
      ]),
    ),
    artifacts: { ...list(artifact), uniqueItems: true },
    results: list(result),
  },
  ['tool'],
);

export const SARIF_SCHEMA = {
  ...closed({ $schema: { type: 'string', format: 'uri' }, version: { const: '2.1.0' }, runs: list(run) }, [
    'version',
    'runs',
  ]),
};
