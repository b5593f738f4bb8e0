import { isMainThread } from 'node:worker_threads';

/** Processes that those start in their turn inherit the flag that loads this, and need their channel. */
const isVehi = process.argv[1]?.endsWith('vehi.js') === true;

// Loaded before vehi in the processes of `vehi cluster`: they end as by SIGTERM when that one is gone, however it ended.
if (isMainThread && isVehi && process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep the process running.
  process.channel.unref();
}
