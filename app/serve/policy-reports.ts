import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectBody } from '../server/bounded-body.ts'
import type { Logger } from '../server/log.ts'

/** Where browsers report what the content policy blocked. */
export const POLICY_REPORTS_PATH = '/policy-reports'

export const MAX_REPORT_BYTES = 16_384
/** The same breach is logged once in this time: one page of a broken release reports from every browser. */
const QUIET_MS = 3_600_000
/** Anybody may send reports: beyond so many different ones, the log hears of no more within that time. */
const MAX_KINDS = 100

export type PolicyReportReceiver = (request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) => Promise<void>

export const isPolicyReport = (method: string | undefined, pathname: string): boolean =>
  method === 'POST' && pathname === POLICY_REPORTS_PATH

/** Logs reports by directive and origin, never by address: a page's address may say who reads it. */
export function createPolicyReportReceiver(log: Logger, now: () => number = Date.now): PolicyReportReceiver {
  const logged = new Map<string, number>()
  return async (request, response, headers) => {
    const text = await readReport(request)
    response.writeHead(204, { ...headers, 'cache-control': 'no-store' }).end()
    const breach = text === undefined ? undefined : parseReport(text)
    if (!breach) return
    for (const [kind, at] of logged) if (now() - at >= QUIET_MS) logged.delete(kind)
    const kind = `${breach.directive} ${breach.blocked}`
    if (logged.has(kind) || logged.size >= MAX_KINDS) return
    logged.set(kind, now())
    log.warn('the content policy kept something from a page', breach)
  }
}

/** @returns undefined if it is too long, or its sender stopped halfway */
const readReport = async (request: IncomingMessage): Promise<string | undefined> =>
  (await collectBody(request, MAX_REPORT_BYTES).catch(() => undefined))?.toString()

/** Of a report as CSP 2 defines it for `report-uri`; undefined if it is something else. */
function parseReport(text: string): { directive: string; blocked: string } | undefined {
  try {
    const { 'csp-report': report } = JSON.parse(text) as { 'csp-report'?: Record<string, unknown> }
    const directive = report?.['effective-directive'] ?? report?.['violated-directive']
    const blocked = report?.['blocked-uri']
    if (typeof directive !== 'string' || !/^[a-z-]{1,40}$/.test(directive) || typeof blocked !== 'string') return undefined
    // A word such as `inline`, or an address.
    return { directive, blocked: /^[a-z-]{0,30}$/.test(blocked) ? blocked : new URL(blocked).origin }
  } catch {
    return undefined
  }
}
