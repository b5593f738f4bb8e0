import { isMainThread } from 'node:worker_threads';

/** Processes that those start in their turn inherit the flag that loads this, and need their channel. */
const isVehi = process.argv[1]?.endsWith('vehi.js') === true;

// Loaded before vehi in the processes of `vehi cluster`: they end as by SIGTERM when that one is gone, however it ended.
// Nobody is left to kill one that does not come to its end within its grace, which the query of this module's address
// says: it kills itself.
if (isMainThread && isVehi && process.connected !== undefined) {
  const end = () => {
    const graceMs = Number(new URL(import.meta.url).searchParams.get('grace-ms'));
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  // False where it was gone before this was loaded; nothing tells of that later.
  if (process.connected) process.on('disconnect', end);
  else end();
  // The channel alone must not keep the process running.
  process.channel?.unref();
}
