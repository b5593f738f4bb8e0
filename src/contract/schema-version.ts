/** Version of the shapes of results, `meta.schema_version`; apart from the schemas, which are slow to load. */
export const SCHEMA_VERSION = '1.1';
