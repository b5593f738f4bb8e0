import type { KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { InspectionEnvelope } from '../contract/inspection.ts';
import { readExif } from '../images/read/exif.ts';
import { hashBytes } from '../lib/ids.ts';
import { writeIndexPage } from './index-page.ts';
import {
  computeFingerprint,
  type EvidenceFile,
  exportPublicKey,
  KEY_FILE,
  MANIFEST,
  type Manifest,
  SIGNATURE,
  signManifest,
} from './manifest.ts';
import { type ZippedFile, zipFiles } from './zip.ts';

/** A document in an evidence file. */
interface EvidenceDocument {
  readonly name: string;
  readonly about: string;
  readonly content: string | Uint8Array;
}

/** Inputs of an evidence file. */
export interface EvidenceParts {
  readonly inspection: InspectionEnvelope;
  readonly documents: readonly EvidenceDocument[];
  /** Reads the bytes of an inspected photo. @throws if they are no longer available */
  readonly readPhoto: (photo: InspectionEnvelope['data']['images'][number]) => Promise<Uint8Array>;
  /** Counts of the comparison with the earlier inspection, as a sentence for the page. */
  readonly changes?: string | undefined;
  readonly key: KeyObject;
  readonly packedAt: Date;
}

/**
 * Packs an inspection with its original photos and signs it. Each photo is read twice, for its hash and for the file,
 * so that only one is in memory at a time.
 */
export async function packEvidence(parts: EvidenceParts): Promise<Readable> {
  const { inspection, documents, readPhoto, key, packedAt } = parts;
  const { data, meta } = inspection;
  const photos: PackedFile[] = [];
  for (const photo of data.images) {
    const bytes = await readPhoto(photo);
    const facts = await readExif(bytes);
    const name = `photos/${String(photo.index + 1).padStart(3, '0')}.${photo.format}`;
    photos.push({
      file: { name, ...measure(bytes), about: 'photo as it was given', photo: { url: photo.url, ...facts } },
      zipped: { name, bytes: bytes.length, open: () => readPhoto(photo) },
    });
  }
  const facts: Omit<Manifest, 'files'> = {
    format: 'vehi-evidence-1',
    vehicle_id: data.vehicle_id,
    inspection_id: data.inspection_id,
    inspected_at: data.created_at,
    packed_at: packedAt.toISOString(),
    software: `vehi ${meta.software_version}`,
    models: data.models,
    region: data.region,
    key: computeFingerprint(key),
  };
  const own = [
    ...documents.map(packDocument),
    packDocument({ name: KEY_FILE, about: 'key that signed', content: exportPublicKey(key) }),
  ];
  const listed = [...own, ...photos].map(({ file }) => file);
  const page = packDocument({
    name: 'index.html',
    about: 'page that shows this file in a browser',
    content: writeIndexPage(facts, listed, inspection, parts.changes),
  });
  const { text, signature } = signManifest({ ...facts, files: [page.file, ...listed] }, key);
  return zipFiles([
    ...[page, ...own, ...photos].map(({ zipped }) => zipped),
    zipDocument({ name: MANIFEST, content: text }),
    zipDocument({ name: SIGNATURE, content: signature }),
  ]);
}

/** A file as listed in the manifest and stored in the zip. */
interface PackedFile {
  readonly file: EvidenceFile;
  readonly zipped: ZippedFile;
}

function packDocument(document: EvidenceDocument): PackedFile {
  const { name, about, content } = document;
  return { file: { name, ...measure(Buffer.from(content)), about }, zipped: zipDocument(document) };
}

function zipDocument({ name, content }: Omit<EvidenceDocument, 'about'>): ZippedFile {
  const bytes = Buffer.from(content);
  return { name, bytes: bytes.length, open: async () => bytes };
}

function measure(bytes: Uint8Array) {
  return { bytes: bytes.length, sha256: hashBytes(bytes) };
}
