import { createEngine, DEFAULT_OPTIONS, findPhotos, type InspectEvent } from 'vehi';

const folder = process.argv[2] ?? 'photos';

function report(event: InspectEvent): void {
  if (event.kind === 'photo_done') console.error(`${event.done} of ${event.photos}: ${event.url}`);
  if (event.kind === 'photo_rejected') console.error(`${event.url}: ${event.code}`);
}

const engine = await createEngine();
try {
  const { vehicleId, photos } = await findPhotos([folder]);
  const options = { ...DEFAULT_OPTIONS, detailed: true };
  const { data } = await engine.inspect({ vehicleId, photos, options }, { onEvent: report });
  for (const { number, location, type, severity, estimated_repair: cost } of data.results?.damages ?? [])
    console.log(`${number} ${location.part} ${type} ${severity} ${cost.min}-${cost.max} ${cost.currency}`);
  console.log(data.results ? `condition ${data.results.condition_score}` : data.failure?.message);
} finally {
  await engine.close();
}
