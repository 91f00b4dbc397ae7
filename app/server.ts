import handler from '@tanstack/react-start/server-entry'
import { handleApi } from './root/api-handler.ts'
import { apiResources } from './root/api-resources.ts'
import { JOBS } from './root/jobs.ts'
import { newRequestId, type RequestFacts } from './serve/request-facts.ts'
import { respond } from './serve/respond.ts'
import { createReadSearch } from './serve/route-search.ts'
import { serve as serveWith, type Served } from './serve/serve.ts'
import { startRuntime } from './serve/start-runtime.ts'
import { type Env, readEnv } from './server/env.ts'
import type { Runtime } from './server/runtime.ts'

const answer = (request: Request, runtime: Runtime, facts: RequestFacts): Promise<Response> =>
  respond(request, runtime, facts, { handleApi, render: (prepared, context) => handler.fetch(prepared, { context }) })

/** The built product: opens everything a web process needs and listens. */
export const serve = (env: Env, root: string): Promise<Served> =>
  serveWith({ env, root, answer, readSearch: createReadSearch(), jobs: JOBS, apiResources })

/** The development server evaluates this module anew when a source changes: what the last evaluation opened is found here and closed. */
const kept = globalThis as { parleyDevelopment?: ReturnType<typeof startRuntime> | undefined }
let development: ReturnType<typeof startRuntime> | undefined

function startDevelopment(): ReturnType<typeof startRuntime> {
  const before = kept.parleyDevelopment
  kept.parleyDevelopment = startRuntime(readEnv(process.env), JOBS)
  void before?.then((started) => started.stop())
  return kept.parleyDevelopment
}

/** The development server's way in, where Vite itself listens and serves files. */
export default {
  async fetch(request: Request & { ip?: string }): Promise<Response> {
    development ??= startDevelopment()
    const { runtime } = await development
    return answer(request, runtime, { id: newRequestId(), address: request.ip ?? null, forEveryone: false })
  },
}
