import type { Attributes, Context, Span, SpanKind, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Env } from '../env.ts'
import type { Logger } from '../log.ts'

/** What traces are made of; undefined while they are off. */
let tracing: OpenTracing | undefined

interface OpenTracing {
  api: typeof import('@opentelemetry/api')
  tracer: Tracer
  propagator: TextMapPropagator
}

const STOP_WITHIN_MS = 3000
const MAX_STATEMENT_LENGTH = 500

/** What a finished request is called in a trace. Nothing here names a person, an address or what they sent. */
export interface RequestFigures {
  method: string
  /** A pattern such as `/projects/$slug`. */
  route: string
  /** Undefined if the connection was cut before the response. */
  status: number | undefined
  requestId: string
  site: string | undefined
  source: string
}

/**
 * Loads OpenTelemetry and starts to send traces by OTLP. Call it once, and only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set: nothing is loaded
 * otherwise, and `traceWork` and the others only call their work. The exporter reads `OTEL_EXPORTER_OTLP_HEADERS` itself.
 * @returns how to send what is left, and stop
 */
export async function openTracing(env: Env, processName: string, log: Logger): Promise<() => Promise<void>> {
  const [api, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, sdk, { resourceFromAttributes }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ])
  const report = (message: string) => log.warn('traces could not be sent', { reason: message.slice(0, 200) })
  const ignore = () => {}
  api.diag.setLogger({ error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, api.DiagLogLevel.ERROR)
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME, 'service.instance.id': processName }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG),
      // A stranger's header must not make us record everything.
      remoteParentSampled: new sdk.TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces` }) }),
    ],
  })
  tracing = { api, tracer: provider.getTracer('parley'), propagator: new W3CTraceContextPropagator() }
  return async () => {
    tracing = undefined
    await Promise.race([provider.shutdown().catch(ignore), wait(STOP_WITHIN_MS, undefined, { ref: false })])
  }
}

/**
 * Runs `handle` within a new trace, or in that of a proxy in front if proxies are believed.
 * @param whenDone calls what it is given once the request is over; the figures are known only then
 */
export function traceRequest<T>(
  { headers, believesProxy }: { headers: IncomingHttpHeaders; believesProxy: boolean },
  whenDone: (finish: (figures: RequestFigures) => void) => void,
  handle: () => T,
): T {
  if (!tracing) return handle()
  const { api, tracer, propagator } = tracing
  const parent = believesProxy ? propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter) : api.ROOT_CONTEXT
  const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent)
  whenDone((figures) => endRequestSpan(api, span, figures))
  return api.context.with(api.trace.setSpan(parent, span), handle)
}

function endRequestSpan(api: OpenTracing['api'], span: Span, { method, route, status, requestId, site, source }: RequestFigures): void {
  span.updateName(`${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'parley.request_id': requestId,
    'parley.site': site,
    'parley.source': source,
  })
  if (status === undefined || status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}

/** Runs `work` as a trace of its own, e.g. a run of a job. */
export function traceRoot<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!tracing) return work()
  return runInSpan(tracing, tracing.api.ROOT_CONTEXT, name, { kind: tracing.api.SpanKind.INTERNAL }, work)
}

/** Runs `work` as a step of the present trace. Without one, or while traces are off, it only runs it. */
export function traceWork<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const present = findPresentTrace()
  return present
    ? runInSpan(present.tracing, present.context, name, { kind: present.tracing.api.SpanKind.CLIENT, attributes }, work)
    : work()
}

/** Records a statement of the database as a step of the present trace, with its text but never with its values. */
export function traceStatement<T>(text: string, send: () => T): T {
  const present = findPresentTrace()
  if (!present) return send()
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, MAX_STATEMENT_LENGTH),
  }
  const span = present.tracing.tracer.startSpan(operation, { kind: present.tracing.api.SpanKind.CLIENT, attributes }, present.context)
  const sent = send()
  if (sent instanceof Promise)
    sent.then(
      () => span.end(),
      () => endFailed(present.tracing.api, span),
    )
  else span.end()
  return sent
}

function findPresentTrace(): { tracing: OpenTracing; context: Context } | undefined {
  if (!tracing) return undefined
  const { api } = tracing
  const context = api.context.active()
  return api.trace.getSpan(context)?.isRecording() ? { tracing, context } : undefined
}

async function runInSpan<T>(
  { api, tracer }: OpenTracing,
  parent: Context,
  name: string,
  options: { kind: SpanKind; attributes?: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, options, parent)
  try {
    const result = await api.context.with(api.trace.setSpan(parent, span), work)
    span.end()
    return result
  } catch (error) {
    endFailed(api, span)
    throw error
  }
}

/** Leaves out the error, whose message may contain user input. The log has it under the request's id. */
function endFailed(api: OpenTracing['api'], span: Span): void {
  span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}
