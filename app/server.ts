import handler from '@tanstack/react-start/server-entry'
import { handleApi } from './root/api-handler.ts'
import { apiResources } from './root/api-resources.ts'
import { JOBS } from './root/jobs.ts'
import { createRequestId, type RequestFacts } from './serve/request-facts.ts'
import { type AnsweredRequest, respondToRequest } from './serve/respond.ts'
import { createRouteFinder, createSearchReader } from './serve/route-search.ts'
import { serveHttp, type RunningServer } from './serve/serve.ts'
import { serveJobs } from './serve/serve-jobs.ts'
import { startRuntime } from './serve/start-runtime.ts'
import type { ProcessRole } from './server/process-role.ts'
import { type Env, readEnv } from './server/env.ts'
import type { Runtime } from './server/runtime.ts'

const answerRequest = (request: Request, runtime: Runtime, facts: RequestFacts): Promise<AnsweredRequest> =>
  respondToRequest(request, runtime, facts, { handleApi, render: (prepared, context) => handler.fetch(prepared, { context }) })

/** The built product: opens everything a process needs and listens. @param role what it does; by default both */
export const serve = (env: Env, root: string, role?: ProcessRole): Promise<RunningServer> => {
  if (role === 'jobs') return serveJobs(env, JOBS)
  const jobs = role === 'web' ? [] : JOBS
  return serveHttp({ env, root, answer: answerRequest, readSearch: createSearchReader(), createRouteFinder, jobs, apiResources })
}

/** The development server re-evaluates this module when a source changes: this finds and closes what the previous evaluation opened. */
const globalState = globalThis as { parleyDevelopment?: ReturnType<typeof startRuntime> | undefined }
let development: ReturnType<typeof startRuntime> | undefined

function startDevelopment(): ReturnType<typeof startRuntime> {
  const before = globalState.parleyDevelopment
  globalState.parleyDevelopment = startRuntime(readEnv(process.env), JOBS)
  void before?.then((started) => started.stop())
  return globalState.parleyDevelopment
}

/** Entry point of the development server, in which Vite itself listens and serves files. */
export default {
  async fetch(request: Request & { ip?: string }): Promise<Response> {
    development ??= startDevelopment()
    const { runtime } = await development
    const facts = { id: createRequestId(), address: request.ip ?? null, forEveryone: false }
    return (await answerRequest(request, runtime, facts)).response
  },
}
