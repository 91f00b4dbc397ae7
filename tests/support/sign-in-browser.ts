import { confirmSignIn } from '#app/features/identity/confirm-sign-in.server.ts'
import { SignInFault } from '#app/features/identity/sign-in-fault.server.ts'
import { beginSignIn, completeSignIn, findAttempt, type SignInStep } from '#app/features/identity/sign-in.server.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'

/** A browser with its own cookies, on a site, which signs in with providers. */
export class SignInBrowser {
  readonly cookies = new Map<string, string>()
  readonly site: Site
  readonly #runtime: Runtime
  token: string | undefined
  /** Where it sends from; by default nobody knows. */
  address: string | null = null
  constructor(runtime: Runtime, site: Site, token?: string) {
    this.#runtime = runtime
    this.site = site
    this.token = token
  }
  readonly read = (name: string) => this.cookies.get(name)
  ctx = (): Promise<Ctx> => withViewer(createCtx(this.#runtime, this.site, { address: this.address }), this.token)
  keep(step: SignInStep): SignInStep {
    for (const line of step.cookies) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    if (step.session) this.token = step.session.token
    return step
  }
  async begin(provider: string, purpose: 'sign-in' | 'link' | 'test' = 'sign-in', next: string | null = null): Promise<URL> {
    return new URL(this.keep(await beginSignIn(await this.ctx(), { provider, purpose, next })).location)
  }
  async arrive(provider: string, query: URLSearchParams): Promise<SignInStep> {
    const ctx = await this.ctx()
    return this.keep(await completeSignIn(ctx, findAttempt(ctx, this.read, provider, query), query))
  }
  async confirm(choice = { keepsAnswers: false }): Promise<SignInStep> {
    return this.keep(await confirmSignIn(await this.ctx(), this.read, choice))
  }
  viewer = async () => (await this.ctx()).viewer
}

/** The code of the fault that it ends in. */
export async function readSignInFault(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof SignInFault) return error.code
    throw error
  }
  return 'none'
}
