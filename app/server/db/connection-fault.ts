import { getUserName, listHostUrls, parseFirstUrl } from '../connection-string.ts'
import { StartupFault } from '../startup-fault.ts'
import { findSqlState } from './sql-state.ts'

/** Explains in one sentence why the database of `DATABASE_URL`, or of another setting, cannot be used. Never shows the password. */
export function toConnectionFault(error: unknown, connectionString: string, setting = 'DATABASE_URL'): StartupFault {
  const { host, database, user } = parseConnectionString(connectionString)
  const state = findSqlState(error)
  const code = findNodeCode(error)
  const where = `the database of ${setting} (${host})`
  const createFault = (sentence: string) => new StartupFault(sentence, { cause: error })
  if (state === '28P01' || state === '28000')
    return createFault(`The name or password in ${setting} is wrong: ${host} refuses the user ${user}.`)
  if (state === '3D000') return createFault(`There is no database named ${database} at ${host}: create it, or correct ${setting}.`)
  if (state === '53300') return createFault(`All connections of ${where} are in use: raise its max_connections or stop something else.`)
  if (state === '57P03') return createFault(`The PostgreSQL at ${host} is still starting: try again in a moment.`)
  const refusedSetting = explainRefusedSetting(error)
  if (refusedSetting) return createFault(refusedSetting)
  if (state === '42501')
    return createFault(`The user ${user} of ${setting} lacks a right: ${formatErrorMessage(error)}. Use the database's owner.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return createFault(`The host name in ${setting} is not known: ${host}.`)
  return createFault(`Parley cannot reach ${where}: ${formatErrorMessage(error)}.`)
}

/** Says which setting of DATABASE_URL a connection pool refuses, if that is the error, and how to mend it. */
export function explainRefusedSetting(error: unknown): string | undefined {
  if (findSqlState(error) !== '08P01') return undefined
  const name = /unsupported startup parameter: (\w+)/.exec(formatErrorMessage(error))?.[1]
  return (
    name &&
    `The connection pool in front of the database refuses the setting ${name} of DATABASE_URL: remove it from DATABASE_URL, or add ${name} to ignore_startup_parameters of the pool.`
  )
}

function parseConnectionString(connectionString: string): { host: string; database: string; user: string } {
  const url = parseFirstUrl(connectionString)
  const user = getUserName(url)
  const hosts = listHostUrls(connectionString).map((each) => new URL(each).host)
  return {
    host: hosts.join(', ') || (url.searchParams.get('host') ?? 'this machine'),
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  }
}

function findNodeCode(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : undefined
}

function formatErrorMessage(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const message = first instanceof Error ? first.message : String(first)
  return (message === 'timeout expired' ? 'it does not answer' : message).replace(/\.$/, '')
}
