import { bundleProcesses } from '../../helpers/services/processes.ts';

/** Bundles the processes that tests kill, once for all files. */
export default async function setup(): Promise<() => void> {
  const modules = ['test/server/helpers/service-process', 'test/server/helpers/photo-child'];
  const { dir, remove } = await bundleProcesses('processes', modules);
  process.env.VEHI_TEST_PROCESSES = dir;
  return remove;
}
