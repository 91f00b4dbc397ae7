import { userOf } from '../connect.ts'
import { StartupFault } from '../startup-fault.ts'
import { sqlState } from './sql-state.ts'

/** Says in one sentence why the database of `DATABASE_URL` cannot be used. The password never appears. */
export function connectionFault(error: unknown, connectionString: string): StartupFault {
  const { host, database, user } = named(connectionString)
  const state = sqlState(error)
  const code = nodeCode(error)
  const where = `the database of DATABASE_URL (${host})`
  const say = (sentence: string) => new StartupFault(sentence, { cause: error })
  if (state === '28P01' || state === '28000') return say(`The name or password in DATABASE_URL is wrong: ${host} refuses the user ${user}.`)
  if (state === '3D000') return say(`There is no database named ${database} at ${host}: create it, or correct DATABASE_URL.`)
  if (state === '53300') return say(`All connections of ${where} are in use: raise its max_connections or stop something else.`)
  if (state === '57P03') return say(`The PostgreSQL at ${host} is still starting: try again in a moment.`)
  if (state === '42501') return say(`The user ${user} of DATABASE_URL lacks a right: ${messageOf(error)}. Use the database's owner.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return say(`The host name in DATABASE_URL is not known: ${host}.`)
  return say(`Parley cannot reach ${where}: ${messageOf(error)}.`)
}

function named(connectionString: string): { host: string; database: string; user: string } {
  const url = new URL(connectionString)
  const user = userOf(url)
  return {
    host: url.host || (url.searchParams.get('host') ?? 'this machine'),
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  }
}

function nodeCode(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : undefined
}

function messageOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const message = first instanceof Error ? first.message : String(first)
  return (message === 'timeout expired' ? 'it does not answer' : message).replace(/\.$/, '')
}
