import { isMainThread } from 'node:worker_threads';

// Loaded before vehi in the processes of `vehi cluster`: they end as by SIGTERM when that one is gone, however it ended.
if (isMainThread && process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep the process running.
  process.channel.unref();
}
