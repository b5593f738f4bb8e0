import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { ApiError, makeErrorEnvelope } from './api-error.ts';

/** Responds to a request that is not valid HTTP or timed out, and closes the connection. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // Without TLS no response can be sent, and trying would keep the connection open forever.
  const isTlsError = /^ERR_(TLS|SSL)_/.test(error.code ?? '');
  if (error.code === 'ECONNRESET' || isTlsError || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const code: ErrorCode = isTimeout
    ? 'REQUEST_TIMEOUT'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? 'PAYLOAD_TOO_LARGE'
      : 'INVALID_REQUEST';
  const message = isTimeout
    ? 'The request did not arrive in time.'
    : code === 'PAYLOAD_TOO_LARGE'
      ? `The headers of the request are larger than ${maxHeaderSize / 1024} KiB.`
      : 'This is not a valid HTTP request.';
  const body = JSON.stringify(makeErrorEnvelope(new ApiError(code, message), requestId));
  const head = [
    `HTTP/1.1 ${ERRORS[code].status} ${STATUS_CODES[ERRORS[code].status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}
