import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const MAX_NAME_LENGTH = 63

/** Password of the application's database role, derived from the secret key so that every process can compute it. */
export const deriveAppPassword = (secret: string): string => createHmac('sha256', secret).update('database role').digest('hex')

/**
 * A password as PostgreSQL stores it, which can be shown to others: it proves a password, but cannot be used as one.
 * https://www.postgresql.org/docs/current/catalog-pg-authid.html, RFC 5803
 */
export function hashRolePassword(password: string, salt = randomBytes(16)): string {
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`
}

/** The role that the application connects as. Roles are shared by a whole PostgreSQL server, so the name includes the database's. */
export function getAppRole(database: string): string {
  if (database === 'parley') return 'parley_app'
  const name = `parley_app_${database}`
  if (Buffer.byteLength(name) <= MAX_NAME_LENGTH) return name
  return `parley_app_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}

const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/

/**
 * One URL for each host of a connection string, which may name several, as PostgreSQL's own clients allow:
 * `postgres://user@one:5432,two:5432/name`. https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function listHostUrls(connectionString: string): string[] {
  const [, before, hosts = '', after] = HOSTS.exec(connectionString) ?? []
  return before === undefined ? [connectionString] : hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Changes the URL of each host and puts them together again. */
function changeEachUrl(connectionString: string, change: (url: URL) => void): string {
  const urls = listHostUrls(connectionString).map((text) => {
    const url = new URL(text)
    change(url)
    return url
  })
  const [first] = urls
  if (!first) return connectionString
  return first.href.replace(
    HOSTS,
    (_, before: string, _host: string, after: string) => before + urls.map(({ host }) => host).join() + after,
  )
}

/** For its parts that are the same for each host. */
export const parseFirstUrl = (connectionString: string): URL => new URL(listHostUrls(connectionString)[0] ?? connectionString)

/** The database name; like PostgreSQL, falls back to the user's name. */
export function getDatabaseName(connectionString: string): string {
  const url = parseFirstUrl(connectionString)
  return decodeURIComponent(url.pathname.slice(1)) || getUserName(url)
}

export const getUserName = (url: URL): string => decodeURIComponent(url.username) || (url.searchParams.get('user') ?? '')

/** The same database as `ownerUrl`, with the application's own role. */
export const buildAppUrl = (ownerUrl: string, secret: string, role = getAppRole(getDatabaseName(ownerUrl))): string =>
  replaceUser(ownerUrl, role, deriveAppPassword(secret))

/** The same database as `ownerUrl`, with another role. */
export function replaceUser(ownerUrl: string, role: string, password: string): string {
  return changeEachUrl(ownerUrl, (url) => {
    url.pathname = `/${encodeURIComponent(getDatabaseName(ownerUrl))}`
    if (url.host) {
      url.username = encodeURIComponent(role)
      url.password = password
      url.searchParams.delete('user')
      url.searchParams.delete('password')
    } else {
      // With a socket folder in `?host=` the URL has no host, so it cannot carry a user name either.
      url.searchParams.set('user', role)
      url.searchParams.set('password', password)
    }
  })
}
