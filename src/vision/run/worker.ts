import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { findKeyPoints } from '../../domain/sight/place/keypoints.ts';
import { readChecked } from '../models/checked-file.ts';
import { createTextNetwork } from '../text/text-network.ts';
import { createNetwork, type Network } from './network.ts';
import {
  type Reply,
  type Request,
  restoreError,
  type TaskResult,
  toFailure,
  type WorkerModel,
} from './protocol.ts';
import { openNetwork } from './session.ts';

/**
 * Runs an inference thread: loads the models and processes tasks sequentially. `drain` releases the models and closes
 * the port, which ends the thread. Terminating it from outside would abort the process during a run.
 */
async function serve(port: MessagePort, models: readonly WorkerModel[]): Promise<void> {
  const networks = load(models);
  Promise.all(networks.values()).then(
    () => send(port, { kind: 'ready' }),
    (error) =>
      send(port, {
        kind: 'unusable',
        failure: toFailure(error, 'MODEL_UNLOADABLE', 'Run `vehi doctor`.'),
      }),
  );
  let lastRequest: Promise<void> = Promise.resolve();
  port.on('message', (request: Request) => {
    lastRequest = lastRequest.then(() => {
      if (request.kind === 'run') return runTask(port, networks, request);
      return request.kind === 'add' ? addModel(networks, request.model) : drain(port, networks);
    });
  });
}

type Networks = Map<WorkerModel['model']['id'], Promise<Network>>;

/** Loads the models sequentially, yielding after each one so that tasks for loaded models can run. */
function load(models: readonly WorkerModel[]): Networks {
  const networks: Networks = new Map();
  let previous: Promise<unknown> = Promise.resolve();
  for (const workerModel of models) {
    const network = previous.then(() => open(workerModel));
    networks.set(workerModel.model.id, network);
    previous = network.then(() => setImmediate());
    previous.catch(() => undefined);
  }
  return networks;
}

/** Loads another model; a failure is reported to the tasks that need it. */
async function addModel(networks: Networks, added: WorkerModel): Promise<void> {
  const network = open(added);
  networks.set(added.model.id, network);
  await network.catch(() => undefined);
}

async function open({ model, file }: WorkerModel): Promise<Network> {
  const session = await openNetwork(await readChecked(file)).catch((error: Error) => {
    const hint = 'Reinstall vehi, or correct the folder given by --models DIR (VEHI_MODEL_DIR).';
    const message = `model ${model.name} ${model.version} cannot be loaded: ${error.message}`;
    throw restoreError({ kind: 'engine', code: 'MODEL_UNLOADABLE', message, hint });
  });
  return model.task === 'read' ? createTextNetwork(model, session) : createNetwork(model, session);
}

async function runTask(
  port: MessagePort,
  networks: Networks,
  { id, task }: Extract<Request, { kind: 'run' }>,
): Promise<void> {
  try {
    const result = await perform(networks, task);
    send(port, { kind: 'done', id, result }, listBuffers(result));
  } catch (error) {
    send(port, {
      kind: 'failed',
      id,
      failure: toFailure(error, 'INFERENCE_FAILED', 'Run `vehi doctor`.'),
    });
  }
}

async function perform(
  networks: Networks,
  task: Extract<Request, { kind: 'run' }>['task'],
): Promise<TaskResult> {
  if ('mask' in task) return { points: findKeyPoints(task.picture, task.mask) };
  const network = await networks.get(task.model);
  if (network === undefined) throw new Error(`no model "${task.model}" in this thread`);
  return network.infer(task);
}

function listBuffers({ parts, points, heat }: TaskResult): ArrayBuffer[] {
  const arrays = [heat, parts?.bestLabels, parts?.certainty, points?.x, points?.y, points?.descriptors];
  return arrays.flatMap((array) => (array === undefined ? [] : [array.buffer as ArrayBuffer]));
}

async function drain(port: MessagePort, networks: Networks): Promise<void> {
  // Models that failed to load need no release; `unusable` has reported them.
  await Promise.allSettled([...networks.values()].map(async (network) => (await network).release()));
  port.close();
}

function send(port: MessagePort, reply: Reply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(reply, transfer);
}

if (parentPort !== null) await serve(parentPort, workerData as WorkerModel[]);
