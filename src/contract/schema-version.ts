/** Version of the result schemas, `meta.schema_version`; a separate module, because the schemas are slow to load. */
export const SCHEMA_VERSION = '1.1';
