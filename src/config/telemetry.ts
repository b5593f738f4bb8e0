/**
 * Disables the usage reports that onnxruntime (1.30 and later) sends to its vendor, with a machine identifier, from
 * every process that loads a model. It reads the environment on load, and only the main thread can change the native
 * environment, so call this there before starting a worker.
 */
export function switchOffTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
