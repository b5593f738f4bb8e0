/**
 * Switches off the usage reports that onnxruntime (from 1.30 on) otherwise sends to its makers from every process that
 * loads a model, with an identifier of the machine. It reads the environment when it is loaded, and only the main
 * thread can change what native code sees of it: call this there, before the first worker.
 */
export function switchOffTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
