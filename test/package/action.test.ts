import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@actions/languageservice/validate-action';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { FIXTURES } from '../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { ACTION, ACTION_TEXT, runActionStep } from './action-step.ts';

const dir = makeOwnFolder('action');

beforeAll(() => {
  mkdirSync(join(dir, 'photos of today'));
  const photo = 'front_right.jpg';
  copyFileSync(join(FIXTURES, 'vehicle/after', photo), join(dir, 'photos of today', photo));
});

/** What GitHub's validator says; it remembers files by address, so every text needs its own. */
async function faults(text: string, address = 'file:///action.yml'): Promise<string[]> {
  const found = await validateAction(TextDocument.create(address, 'yaml', 1, text));
  return found.map(({ message }) => (typeof message === 'string' ? message : message.value));
}

describe('action.yml', () => {
  test("GitHub's own rules find no fault, and find those that are made", async () => {
    expect(await faults(ACTION_TEXT)).toEqual([]);
    const wrong = [
      ACTION_TEXT.replace('using: composite', 'using: composed'),
      ACTION_TEXT.replace('shell:', 'shel:'),
    ];
    for (const [index, text] of wrong.entries())
      expect(await faults(text, `file:///${index}/action.yml`)).not.toEqual([]);
  });

  test('every output is set by the step it names; no input stands in a script', () => {
    const [, inspect] = ACTION.runs.steps;
    for (const [name, { value }] of Object.entries(ACTION.outputs)) {
      expect(value).toBe(`\${{ steps.inspect.outputs.${name} }}`);
      expect(inspect?.run).toContain(`${name}=`);
    }
    for (const { run } of ACTION.runs.steps) expect(run).not.toContain('${{');
  });

  test('it annotates the run, sets its outputs, and fails by fail-on', async () => {
    const inspect = (inputs: Readonly<Record<string, string>>) => {
      const sensitive = { paths: 'photos of today\n', arguments: '--sensitivity\nhigh\n' };
      return runActionStep(1, { ...sensitive, ...inputs }, dir, inject('runnerTemp'));
    };
    const passed = await inspect({});
    expect(passed.output).toMatch(/^::(warning|notice) file=photos of today\//m);
    expect(passed.code).toBe(0);
    expect(Number(passed.outputs.get('damages'))).toBeGreaterThan(0);
    expect(passed.outputs.get('repair-cost')).toMatch(/^\d+(\.\d+)? USD$/);
    expect(passed.outputs.get('exit-code')).toBe('0');
    expect(passed.summary).toContain('|');

    const failed = await inspect({ 'fail-on': 'minor' });
    expect(failed.code).toBe(1);
    const { data } = JSON.parse(readFileSync(join(dir, failed.outputs.get('result') ?? ''), 'utf8'));
    expect(data.results.damages.length).toBe(Number(failed.outputs.get('damages')));

    const none = await inspect({ paths: 'nowhere; touch hacked' });
    expect(none.code).toBe(3);
    expect(none.outputs.get('damages')).toBeUndefined();
    expect(none.output).toContain('nowhere; touch hacked');
  });
});
