import type { WebhookEndpoint } from '../../storage/ports.ts';
import { PER_ACCOUNT_MAX, PER_ENDPOINT_MAX } from './port.ts';

/** Deliveries that this process has under way. */
interface Flights {
  /**
   * Counts one more, until the returned function is called; undefined where the message is under way, or its endpoint
   * or account has all that it may have.
   */
  begin(id: string, endpoint: Pick<WebhookEndpoint, 'id' | 'accountId'>): (() => void) | undefined;
}

/** Creates a count of deliveries, none of them under way. */
export function createFlights(): Flights {
  const flying = new Map<string, Pick<WebhookEndpoint, 'id' | 'accountId'>>();
  return {
    begin(id, endpoint) {
      const all = [...flying.values()];
      const hasRoom =
        !flying.has(id) &&
        all.filter((one) => one.id === endpoint.id).length < PER_ENDPOINT_MAX &&
        all.filter((one) => one.accountId === endpoint.accountId).length < PER_ACCOUNT_MAX;
      if (!hasRoom) return undefined;
      flying.set(id, endpoint);
      return () => void flying.delete(id);
    },
  };
}
