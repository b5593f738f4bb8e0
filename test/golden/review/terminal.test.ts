import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES, ROOT, runCli } from '../../helpers/cli/run-cli.ts';

// A real pseudo-terminal is needed; expect(1) makes one.
const hasExpect = spawnSync('expect', ['-v']).status === 0;

test.skipIf(!hasExpect)('vehi review asks on a terminal and writes the decision', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'vehi-terminal-'));
  try {
    const run = await runCli(['inspect', join(FIXTURES, 'vehicle/front.jpg'), '--json', '--threads', '1']);
    const envelope = JSON.parse(run.stdout);
    const coordinates = { x: 10, y: 10, width: 50, height: 50, image_width: 1920, image_height: 1080 };
    envelope.data.results.to_check = [];
    envelope.data.results.damages = [
      {
        damage_id: 'dmg_hood_001',
        number: 1,
        type: 'dent',
        severity: 'severe',
        severity_score: 5.5,
        location: { part: 'hood', side: 'front', coordinates },
        confidence: 0.8,
        image_url: 'front.jpg',
        annotated_url: null,
        estimated_repair: {
          min: 500,
          max: 700,
          estimated: 600,
          currency: 'USD',
          repair_type: 'panel_repair',
        },
        evidence: [{ image_index: 0, image_url: 'front.jpg', coordinates, confidence: 0.8 }],
        explain: [],
      },
    ];
    writeFileSync(join(dir, 'result.json'), JSON.stringify(envelope));
    const script = `
set timeout 45
set stty_init "rows 30 columns 100"
spawn "${process.execPath}" "${resolve(ROOT, 'bin/vehi.js')}" review result.json --in-terminal
expect "Reject" {} timeout { exit 91 } eof { exit 92 }
send "\\033\\[B"
send "\\r"
expect "1 rejected" {} timeout { exit 93 } eof { exit 94 }
expect eof {} timeout { exit 95 }
exit 0
`;
    writeFileSync(join(dir, 'script.exp'), script);
    const env = { PATH: process.env.PATH, HOME: dir, XDG_CONFIG_HOME: '/nonexistent', TERM: 'xterm' };
    const shown = spawnSync('expect', ['-f', 'script.exp'], { cwd: dir, env, encoding: 'utf8' });
    expect(shown.status, shown.stdout + shown.stderr).toBe(0);
    const reviewed = JSON.parse(readFileSync(join(dir, 'result.reviewed.json'), 'utf8'));
    expect(reviewed.data.results.damages).toEqual([]);
    expect(reviewed.review.decisions[0]).toMatchObject({ damage_id: 'dmg_hood_001', decision: 'reject' });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
