import { type MessagePort, parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { findKeyPoints } from '../../domain/compare/keypoints.ts';
import { VehiError } from '../../lib/errors.ts';
import { readChecked } from '../models/checked-file.ts';
import { createTextNetwork } from '../text/text-network.ts';
import { createNetwork, type Network } from './network.ts';
import { CHANNEL, type ModelId, type RunnableModel, type ThreadFunctions } from './protocol.ts';
import { openNetwork } from './session.ts';

/** Serves the calls of a pool; each model is opened when it is first needed. */
function serve(port: MessagePort): void {
  const networks = new Map<ModelId, Network>();

  async function open(source: RunnableModel): Promise<Network> {
    const { id } = source.model;
    const network = networks.get(id) ?? (await openModel(source));
    networks.set(id, network);
    return network;
  }

  const functions: ThreadFunctions = {
    load: async (source) => void (await open(source)),
    infer: async (source, task) => (await open(source)).infer(task),
    findPoints: async (picture, mask) => findKeyPoints(picture, mask),
    async drain() {
      for (const network of networks.values()) await network.release();
      port.close();
    },
  };
  createBirpc(functions, {
    ...CHANNEL,
    post: (message) => port.postMessage(message),
    on: (listener) => void port.on('message', listener),
  });
}

async function openModel({ model, file }: RunnableModel): Promise<Network> {
  const bytes = await readChecked(file);
  const session = await openNetwork(bytes).catch((error: Error) => {
    const message = `model ${model.name} ${model.version} cannot be loaded: ${error.message}`;
    const hint = 'Reinstall vehi, or correct the folder given by --models DIR (VEHI_MODEL_DIR).';
    throw new VehiError('engine', 'MODEL_UNLOADABLE', message, { hint });
  });
  return model.task === 'read' ? createTextNetwork(model, session) : createNetwork(model, session);
}

if (parentPort !== null) serve(parentPort);
