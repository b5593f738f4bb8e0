import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Makes a self-signed certificate for localhost, `cert.pem` and `key.pem` in the directory, over those that are
 * there. False on a machine without openssl.
 */
export function makeCertificate(directory: string): boolean {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'cert.pem')];
  const made = spawnSync('openssl', [...request, '-days', '1', '-subj', '/CN=localhost', ...files]);
  return made.status === 0;
}
