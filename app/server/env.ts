import { resolve } from 'node:path'
import * as v from 'valibot'
import { listHostUrls } from './connection-string.ts'
import { StartupFault } from './startup-fault.ts'

const flagSchema = v.pipe(
  v.optional(v.picklist(['0', '1', 'true', 'false', ''], 'must be 1 or 0'), ''),
  v.transform((value) => value === '1' || value === 'true'),
)
const portSchema = v.pipe(
  v.string(),
  v.regex(/^\d+$/, 'must be a port number'),
  v.transform(Number),
  v.maxValue(65_535, 'must be at most 65535'),
)
const urlSchema = v.pipe(v.string(), v.url('must be a whole address such as https://example.org'))

const connectionStringSchema = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
  v.check(
    (value) => listHostUrls(value).every((url) => URL.canParse(url)),
    'must be a whole connection string, special characters of the password written as %23 and the like',
  ),
)

const settingsSchema = v.object({
  PORT: v.optional(portSchema, '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.pipe(
    v.optional(v.string(), '.data'),
    v.transform((dir) => resolve(dir)),
  ),
  DATABASE_URL: v.optional(connectionStringSchema),
  DATABASE_DIRECT_URL: v.optional(connectionStringSchema),
  DATABASE_READ_URL: v.optional(
    v.pipe(
      connectionStringSchema,
      v.check((value) => listHostUrls(value).length === 1, 'must name one host: a standby, or a proxy in front of several'),
    ),
  ),
  PUBLIC_URL: v.optional(urlSchema),
  API_ENDPOINT: v.optional(urlSchema),
  SECRET_KEY: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  FORMER_SECRET_KEYS: v.optional(
    v.pipe(
      v.string(),
      v.transform((keys) => keys.split(',').map((key) => key.trim())),
      v.array(v.pipe(v.string(), v.minLength(32, 'must each have at least 32 characters'))),
    ),
  ),
  TRUSTED_PROXIES: v.optional(v.pipe(v.string(), v.regex(/^\d+$/, 'must be the number of proxies in front'), v.transform(Number)), '0'),
  WEB_PROCESSES: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d?$/, 'must be a number from 1 to 99'), v.transform(Number)), '1'),
  DRAIN_SECONDS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, 'must be a number of seconds'),
      v.transform(Number),
      v.maxValue(300, 'must be at most 300 seconds'),
    ),
    '0',
  ),
  MEMORY_MB: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,6}$/, 'must be a number of megabytes'),
      v.transform(Number),
      v.minValue(250, 'must be at least 250 megabytes'),
    ),
    '450',
  ),
  METRICS_PORT: v.optional(v.pipe(portSchema, v.minValue(1, 'must be at least 1'))),
  METRICS_HOST: v.optional(v.string(), '127.0.0.1'),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(20, 'must have at least 20 characters'))),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(urlSchema),
  OTEL_SERVICE_NAME: v.optional(v.string(), 'parley'),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(0|1|0?\.\d+|1\.0+|0\.0*)$/, 'must be a share from 0 to 1'), v.transform(Number)),
    '1',
  ),
  SENTRY_DSN: v.optional(urlSchema),
  SENTRY_ENDPOINT: v.optional(urlSchema),
  SEGMENT_WRITE_KEY: v.optional(v.string()),
  SEGMENT_ENDPOINT: v.optional(urlSchema),
  INTERCOM_APP_ID: v.optional(v.string()),
  INTERCOM_ENDPOINT: v.optional(urlSchema),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://'))),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email('must be an e-mail address'))),
  MAIL_BOUNCES_TO: v.optional(v.pipe(v.string(), v.email('must be an e-mail address'))),
  MAIL_REPORT_TOKEN: v.optional(v.pipe(v.string(), v.minLength(20, 'must have at least 20 characters'))),
  SECURITY_CONTACT: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^((https|mailto|tel):\S+|[^\s@:]+@[^\s@]+)$/,
        'must be an e-mail address, or an address that starts with https:, mailto: or tel:',
      ),
    ),
  ),
  BREACHED_PASSWORDS_URL: v.optional(urlSchema),
  CLAMD_ADDRESS: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(\/.+|[\w.-]+:\d{1,5}|\[[\da-f:]+\]:\d{1,5})$/i,
        'must be the path of a socket, or a host and a port such as 127.0.0.1:3310',
      ),
    ),
  ),
  HSTS_SUBDOMAINS: flagSchema,
  MEDIA_QUOTA_MB: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,6}$/, 'must be a number of megabytes'), v.transform(Number)), '2048'),
  SITE_DELETION_DAYS: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,4}$/, 'must be a number of days'), v.transform(Number), v.minValue(7, 'must be at least 7 days')),
    '30',
  ),
  S3_BUCKET: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'))),
  S3_ENDPOINT: v.optional(urlSchema),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: v.optional(v.string()),
  S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  OUTGOING_LOOPBACK: flagSchema,
  NO_DEMO: flagSchema,
  LOG_LEVEL: v.optional(v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'), 'info'),
})

export const SETTING_NAMES = Object.keys(settingsSchema.entries)

export type Env = v.InferOutput<typeof settingsSchema>

/**
 * Validates all settings and reports every fault at once; an empty setting counts as unset. Never repeats values, because some are secrets.
 * @throws {SettingsError}
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(SETTING_NAMES.flatMap((name) => (source[name] ? [[name, source[name]]] : [])))
  const parsed = v.safeParse(settingsSchema, given)
  if (!parsed.success) throw new SettingsError(parsed.issues.map((issue) => `${issue.path?.[0]?.key as string} ${issue.message}`))
  const faults = [...findBucketFaults(parsed.output), ...findMetricsFaults(parsed.output), ...findDatabaseFaults(parsed.output)]
  if (faults.length) throw new SettingsError(faults)
  return parsed.output
}

const findDatabaseFaults = (env: Env): string[] =>
  env.DATABASE_URL
    ? []
    : (['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
        .filter((name) => env[name])
        .map((name) => `DATABASE_URL must be set where ${name} is`)

/** The database without a pool in front of it, for what needs a session of its own: migrations, backups, listening for changes. */
export const getDirectUrl = ({ DATABASE_URL, DATABASE_DIRECT_URL }: Env): string | undefined => DATABASE_DIRECT_URL ?? DATABASE_URL

function findBucketFaults({ S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Env): string[] {
  if (!S3_BUCKET) return []
  const missing = Object.entries({ S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }).filter(([, value]) => !value)
  return missing.map(([name]) => `${name} must be set where S3_BUCKET is`)
}

const LOOPBACK = /^(127(\.\d+){3}|::1|localhost)$/

/** Metrics are for the operator: never on the port that the public reaches, and beyond this machine only with a token. */
function findMetricsFaults({ METRICS_PORT, METRICS_HOST, METRICS_TOKEN, PORT }: Env): string[] {
  if (METRICS_PORT === undefined) return []
  return [
    ...(METRICS_PORT === PORT ? ['METRICS_PORT must be another than PORT'] : []),
    ...(LOOPBACK.test(METRICS_HOST) || METRICS_TOKEN ? [] : ['METRICS_TOKEN must be set where METRICS_HOST is not this machine alone']),
  ]
}

export class SettingsError extends StartupFault {
  override readonly name = 'SettingsError'
  constructor(faults: string[]) {
    super(`These settings are wrong: ${faults.join('; ')}.`)
  }
}
