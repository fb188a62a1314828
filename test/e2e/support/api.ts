import { type Reply, replyTo } from "./reply.ts";
import { isConversation, parseRequest, promptOf, type Request } from "./request.ts";
import { eventsOf, messageOf } from "./stream.ts";

/** One call of the client and how the stand-in answered it. */
export interface Exchange {
  request: Request;
  reply: Reply;
  /** The body as it came, and the header that names a login. */
  raw: string;
  authorization: string | null;
  isDone: boolean;
  /** Lets an answer that stopped go on. */
  goOn(): void;
}

/** A loopback stand-in for the Messages API that remembers what the model would have been sent. */
export interface Api extends AsyncDisposable {
  url: string;
  exchanges: Exchange[];
}

/** Starts the stand-in on a free port of 127.0.0.1. */
export function serveApi(): Api {
  const exchanges: Exchange[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(call) {
      const { pathname } = new URL(call.url);
      if (call.method !== "POST" || !pathname.startsWith("/v1/messages")) return notFound();
      if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
      const raw = await call.text();
      const request = parseRequest(JSON.parse(raw));
      const goOn = new AbortController();
      const reply = replyTo(request, exchanges.length + 1);
      const authorization = call.headers.get("authorization");
      const exchange = { request, reply, raw, authorization, isDone: false, goOn: () => goOn.abort() };
      exchanges.push(exchange);
      return answer(exchange, goOn.signal, call.signal);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, exchanges, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** The newest exchange of the conversation in which the person's newest prompt holds `text`. */
export function exchangeAbout(api: Api, text: string): Exchange | undefined {
  return api.exchanges.findLast(({ request }) => isConversation(request) && promptOf(request).includes(text));
}

/** The request of that exchange; throws where the model was never asked. */
export function requestAbout(api: Api, text: string): Request {
  const exchange = exchangeAbout(api, text);
  if (exchange === undefined) throw new Error(`the model was never sent the prompt "${text}"`);
  return exchange.request;
}

function notFound(): Response {
  const error = { type: "not_found_error", message: "not served by the stand-in" };
  return Response.json({ type: "error", error }, { status: 404 });
}

function answer(exchange: Exchange, goOn: AbortSignal, hangUp: AbortSignal): Response {
  const { reply, request } = exchange;
  if (!request.stream) {
    exchange.isDone = true;
    return Response.json(messageOf(reply, request.model));
  }
  async function* events() {
    yield* eventsOf(reply, request.model, goOn, hangUp);
    exchange.isDone = true;
  }
  return new Response(events(), { headers: { "content-type": "text/event-stream" } });
}
