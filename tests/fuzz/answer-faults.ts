import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { LANGUAGES } from '#app/lib/languages.ts'
import { ROOT } from '#tests/support/product.ts'
import type { FuzzGround } from './ground.ts'
import { UNESCAPED } from './hostile-texts.ts'
import type { FuzzRequest } from './requests.ts'
import type { Answer } from './send-over.ts'

/** In a document or a page, not in an address: the audit log says which address was refused to whom. */
const UUID = /(?<!\/)\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

type FindFault = (request: FuzzRequest, answer: Answer) => string | undefined

/** Says what an answer should not be, or nothing. */
export function createFaultFinder(ground: FuzzGround): FindFault {
  const findSchemaFault = createSchemaCheck(ground.description)
  const findSparseFault = createSchemaCheck(withoutRequired(ground.description))
  const finders: FindFault[] = [
    (_, { status, text }) => (status >= 500 ? `an error of the server, ${status}: ${text.slice(0, 300)}` : undefined),
    findInjection(ground),
    findForeignRows(ground),
    (request, answer) =>
      request.kind === 'api'
        ? (findErrorFault(request, answer) ?? (request.path.includes('fields') ? findSparseFault : findSchemaFault)(request, answer))
        : undefined,
  ]
  return (request, answer) => {
    for (const find of finders) {
      const fault = find(request, answer)
      if (fault) return fault
    }
    return undefined
  }
}

const findInjection =
  ({ sites, port }: FuzzGround): FindFault =>
  (request, { headers, text }) => {
    if ('zq7' in headers || headers['set-cookie']?.some((cookie) => cookie.startsWith('zq7'))) return 'a header that the request wrote'
    const { location = '' } = headers
    if (/^(?!\/)|^\/[/\\]/.test(location) && location && !location.startsWith(`http://${sites[request.site].host}:${port}/`))
      return `a redirect to ${location}`
    if (!/html|xml/.test(headers['content-type'] ?? '')) return undefined
    const found = UNESCAPED.exec(text)
    return found ? `unescaped: …${text.slice(Math.max(0, found.index - 100), found.index + 60)}…` : undefined
  }

const findForeignRows =
  ({ sites }: FuzzGround): FindFault =>
  (request, { text }) => {
    const foreign = request.site === 'own' ? sites.other : sites.own
    const sent = `${request.path} ${request.body}`.toLowerCase()
    const found = text.match(UUID)?.find((id) => foreign.allIds.has(id.toLowerCase()) && !sent.includes(id.toLowerCase()))
    return found
      ? `a row of the other site: ${found} in …${text.slice(Math.max(0, text.indexOf(found) - 200), text.indexOf(found) + 60)}…`
      : undefined
  }

/** The sentences that a code may be told in, as patterns, by language. */
const TITLES = Object.fromEntries(
  LANGUAGES.map((language) => {
    const { codes } = JSON.parse(readFileSync(join(ROOT, `locales/${language}/errors.json`), 'utf8')) as { codes: Record<string, string> }
    const patterns = new Map<string, RegExp[]>()
    for (const [key, sentence] of Object.entries(codes)) {
      const parts = sentence.split(/\{\{[^}]*\}\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      const code = key.split('_')[0] ?? ''
      patterns.set(code, [...(patterns.get(code) ?? []), new RegExp(`^${parts.join('[\\s\\S]*')}$`)])
    }
    return [language, patterns]
  }),
)

interface ErrorDocument {
  errors?: { status?: string; code?: string; title?: string }[]
}

/** An error is a JSON:API document whose first error has the response's status, each with its sentence in the response's language. */
function findErrorFault(request: FuzzRequest, { status, headers, text }: Answer): string | undefined {
  if (status < 400 || request.method === 'HEAD') return undefined
  if (!headers['content-type']?.startsWith('application/vnd.api+json'))
    return `an error as ${headers['content-type']}: ${text.slice(0, 200)}`
  const { errors } = JSON.parse(text) as ErrorDocument
  if (!errors?.length) return `an error without errors: ${text.slice(0, 200)}`
  const titles = TITLES[headers['content-language'] ?? '']
  if (!titles) return `an error in no language: ${headers['content-language']}`
  const untold = errors.find(({ code = '', title = '' }) => !titles.get(code)?.some((pattern) => pattern.test(title)))
  if (untold) return `an error without its sentence: ${JSON.stringify(untold)}`
  return errors.some((error) => Number(error.status) === status) || errors.length > 1
    ? undefined
    : `another status than ${status}: ${text.slice(0, 200)}`
}

function createSchemaCheck(description: FuzzGround['description']): FindFault {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema(description, 'api')
  const known = new Map<string, ValidateFunction | undefined>()
  const find = (path: string, method: string, status: number): ValidateFunction | undefined => {
    const key = `${method} ${path} ${status}`
    if (!known.has(key)) {
      const described = description.paths[path]?.[method.toLowerCase()]?.responses[String(status)]
      const pointer = `#/paths/${encodePart(path)}/${method.toLowerCase()}/responses/${status}/content/application~1vnd.api+json/schema`
      known.set(key, described?.content ? ajv.compile({ $ref: `api${pointer}` }) : undefined)
    }
    return known.get(key)
  }
  const errors = ajv.compile({ $ref: 'api#/components/schemas/Errors' })
  return ({ operation, method }, { status, text }) => {
    if (status >= 400) {
      if (method !== 'HEAD' && !errors(JSON.parse(text))) return `an error unlike the description: ${ajv.errorsText(errors.errors)}`
      return undefined
    }
    if (!operation || status === 304) return undefined
    const validate = find(operation.path, operation.method, status)
    if (!validate) return status === 204 && text === '' ? undefined : `a response that the description does not name: ${status}`
    return validate(JSON.parse(text))
      ? undefined
      : `a document unlike the description: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 200)}`
  }
}

/** Who asks for some fields gets only those: `fields` leaves out what else is always there. */
function withoutRequired(description: FuzzGround['description']): FuzzGround['description'] {
  const { components } = description
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const { required: _, ...rest } = schema
    return [name, name.endsWith('.attributes') ? rest : schema]
  })
  return { ...description, components: { ...components, schemas: Object.fromEntries(schemas) as typeof components.schemas } }
}

const encodePart = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
