import { buildPhotoField, MAX_PHOTO_MEGABYTES, MAX_PHOTOS } from '#app/features/contributions/record/photos.schema.ts'
import { contributionShape } from '#app/features/contributions/contributions.api.schema.ts'
import { MAX_LOGOUT_BYTES } from '#app/features/identity/back-channel-logout.server.ts'
import { SAML_BOUNDS } from '#app/features/identity/saml/inspect-response.server.ts'
import { MAX_ANSWER_BYTES } from '#app/features/identity/saml/receive-assertion.server.ts'
import { MAX_REPORT_BYTES as MAX_MAIL_BYTES } from '#app/features/marketplace/mail-reports.server.ts'
import { MAX_PIXELS } from '#app/features/media/media.schema.ts'
import { MAX_HOOK_BYTES } from '#app/features/sms/receive-messages.server.ts'
import { ANSWERS_BOUNDS } from '#app/features/surveys/questionnaire/answer-limits.ts'
import { ANSWER_FORM_BOUNDS } from '#app/features/surveys/responses/files/file-forms.server.ts'
import { XLIFF_BOUNDS } from '#app/features/translations/read-translations.server.ts'
import { LARGEST_TRANSLATIONS } from '#app/features/translations/translation-file.ts'
import { MAX_FILE_FORM_BYTES } from '#app/lib/file-forms.ts'
import { MAX_GEOMETRY_POINTS } from '#app/lib/geometry.ts'
import { MAX_PATHNAME_LENGTH } from '#app/serve/count-visit.ts'
import { MAX_ADDRESS_LENGTH, MAX_BODY_BYTES } from '#app/serve/front.ts'
import { MAX_REPORT_BYTES } from '#app/serve/policy-reports.ts'
import { DEEPEST_CALL, SMALL_CALL } from '#app/serve/read-call.ts'
import { LIMITS } from '#app/serve/serve.ts'
import { MAX_HEADER_LENGTH } from '#app/server/accept-language.ts'
import { OPERATIONS_BOUNDS } from '#app/server/api/operations/run-operations.ts'
import { DEEPEST_INCLUDE, LINKAGE_BOUNDS, MAX_INCLUDE_PATHS, MAX_JSON_DEPTH } from '#app/server/api/protocol.ts'
import { SMALL_FORM } from '#app/server/forms.ts'
import { MOST_READ, PARSE_LIMITS } from '#app/server/mail/delivery-report.ts'

/** What the inputs are sent to. */
export interface Target {
  /** Of a site's own provider, activity and survey, as they stand in addresses. */
  saml: string
  openId: string
  activity: string
  survey: string
  surveyId: string
  activityId: string
  sms: { form: string; json: string }
  mailToken: string
  keepAnswers: string
  readFunction: string
}

export interface Sent {
  what: string
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

interface UntrustedInput {
  /** What is read before anybody knows who sent it. */
  name: string
  /** Which code of ours or which library reads it. */
  readBy: string
  /** The constants that the code itself goes by. Beyond them it reads no further. */
  bounds: {
    /** Of the whole, or of the one header. */
    bytes: number
    /** Of nested parts. */
    depth?: number
    /** Of values, fields, elements, points or pixels. */
    count?: number
    /** To arrive. */
    ms: number
  }
  /** The costliest of its kind, within the bounds and beyond them. */
  worst: (target: Target) => Sent[]
}

/** How long it may take to arrive, in milliseconds: Node ends the connection then. */
const [HEAD_MS, WHOLE_MS] = [LIMITS.headersTimeout, LIMITS.requestTimeout]

const list = <Value>(inputs: [what: string, value: Value][]) => inputs

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_API = { 'content-type': 'application/vnd.api+json' }
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' }

const times = <Part>(count: number, build: (at: number) => Part): Part[] => Array.from({ length: count }, (_, at) => build(at))
const join = (count: number, build: (at: number) => string, separator = ''): string => times(count, build).join(separator)
const nest = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)
/** Text that an expression which tries every place again takes longest over. */
const SLOW_TEXTS = ['a'.repeat(3000), ' '.repeat(3000), '('.repeat(3000), 'a@'.repeat(1500), '\u0301'.repeat(1500), '%20a'.repeat(1000)]

/** With the head around it, the rest of 16 kB. */
const HEADER_ROOM = LIMITS.maxHeaderSize - 1000
const fill = (part: string, room = HEADER_ROOM) => part.repeat(Math.floor(room / part.length))

const readPages = (what: string, name: string, value: string): Sent[] =>
  ['/', '/projects?q=a', '/api/v2/projects'].map((path) => ({ what: `${what} for ${path}`, path, headers: { [name]: value } }))

const document = (type: string, attributes: unknown, relationships: unknown = {}) =>
  JSON.stringify({ data: { type, id: crypto.randomUUID(), attributes, relationships } })

const buildParts = (parts: string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
const buildPart = (name: string, value: string, more = '') => `content-disposition: form-data; name="${name}"${more}\r\n\r\n${value}`

const saml = (inside: string) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://login.council.example/saml</saml:Issuer>${inside}</samlp:Response>`

/** A signature by nobody: the library reads the answer as far as for an honest one. */
const FORGED = `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="#_1"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>`

/** A PNG that declares a size and has no pixels. */
function declarePixels(width: number, height: number): Buffer {
  const head = Buffer.alloc(33)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(head)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  Buffer.from('0802000000', 'hex').copy(head, 24)
  return head
}

/** A JPEG made of comments: a decoder has to walk all of them. */
const buildCommentedPicture = (bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...times(Math.floor(bytes / 4), () => Buffer.from('fffe0002', 'hex')),
    Buffer.from('ffd9', 'hex'),
  ])

const photoForm = (photo: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="${buildPhotoField('file', 1)}"; filename="p.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    photo,
    Buffer.from('\r\n--b--\r\n'),
  ])

/** Every parser that reads something before its sender is known. `untrusted-input.test.ts` sends each the worst of its kind. */
export const UNTRUSTED_INPUT: readonly UntrustedInput[] = [
  {
    name: 'the head of a request',
    readBy: 'node:http',
    bounds: { bytes: LIMITS.maxHeaderSize, ms: HEAD_MS },
    worst: () => [
      { what: 'thousands of headers', path: '/', headers: Object.fromEntries(times(1500, (at) => [`x${at}`, ''])) },
      { what: 'one long header', path: '/', headers: { x: fill('x') } },
    ],
  },
  {
    name: 'the host',
    readBy: 'SiteDirectory.find',
    bounds: { bytes: LIMITS.maxHeaderSize, ms: HEAD_MS },
    worst: () => [
      { what: 'many dots', path: '/', headers: { host: fill('a.') } },
      { what: 'one long name', path: '/', headers: { host: fill('a') } },
      { what: 'many colons', path: '/', headers: { host: fill(':') } },
    ],
  },
  {
    name: 'segments of a path',
    readBy: 'front.ts and the router',
    bounds: { bytes: MAX_ADDRESS_LENGTH, ms: HEAD_MS },
    worst: () =>
      [
        ['many segments', fill('/a', MAX_ADDRESS_LENGTH)],
        ['many dots', fill('/..', MAX_ADDRESS_LENGTH)],
        ['encoded letters', `/${fill('%41', MAX_ADDRESS_LENGTH - 1)}`],
        ['a long segment below a project', `/projects/${fill('a-', 4000)}`],
        ['many segments below a project', `/projects/a${fill('/b', 4000)}`],
        ['languages', fill('/en', MAX_ADDRESS_LENGTH)],
        ['slashes', fill('/', MAX_ADDRESS_LENGTH)],
        ['longer than allowed', fill('/a', HEADER_ROOM)],
        ['segments of the API', `/api/v2${fill('/a', HEADER_ROOM)}`],
        ['a long segment of the API', `/api/v2/${fill('a', HEADER_ROOM)}`],
        ['a function', `/_serverFn/${fill('a', 4000)}`],
        ['a picture', `/media${fill('/1', 4000)}`],
        ['a share card', `/og/projects/${fill('a', 4000)}.png`],
      ].map(([what = '', path = '']) => ({ what, path })),
  },
  {
    name: 'the query of a page',
    readBy: 'parseSearchParams and the routes’ validateSearch',
    bounds: { bytes: MAX_ADDRESS_LENGTH, ms: HEAD_MS },
    worst: () => [
      ...['/projects', '/search', '/', '/data', '/verify', '/follow', '/unfollow', '/sign-in', '/receipt', '/reset-password'].flatMap(
        (path) => [
          { what: `one name over and over, ${path}`, path: `${path}?${fill('q&', 4000)}` },
          { what: `many names, ${path}`, path: `${path}?${join(900, (at) => `${at.toString(36)}=`, '&')}` },
        ],
      ),
      ...SLOW_TEXTS.flatMap((text) => [
        {
          what: `words to search for, ${text.slice(0, 4)}`,
          path: `/search?q=${encodeURIComponent(text).slice(0, 4000).replace(/%.?$/, '')}`,
        },
        {
          what: `the token of a link, ${text.slice(0, 4)}`,
          path: `/unfollow?token=${encodeURIComponent(text).slice(0, 4000).replace(/%.?$/, '')}`,
        },
      ]),
      { what: 'a box on a map', path: `/projects?bbox=${fill('1,', 4000)}` },
    ],
  },
  {
    name: 'the query of the API: filter, include, sort, fields, page',
    readBy: 'parseQuery',
    bounds: { bytes: LIMITS.maxHeaderSize, depth: DEEPEST_INCLUDE, count: MAX_INCLUDE_PATHS, ms: HEAD_MS },
    worst: () =>
      [
        ['the same filter over and over', fill('filter[q]=a&')],
        ['many filters', join(900, (at) => `filter[f${at}]=1`, '&')],
        ['many fieldsets', join(900, (at) => `fields[t${at}]=a`, '&')],
        ['one long fieldset', `fields[projects]=${fill('title,')}`],
        ['unknown fields', `fields[projects]=${fill('a,')}`],
        ['as many paths as allowed', `include=${times(MAX_INCLUDE_PATHS, () => 'hub').join(',')}`],
        ['many paths', `include=${fill('hub,')}`],
        ['a long path', `include=${fill('hub.')}`],
        ['many keys to sort by', `sort=${fill('title,')}`],
        ['unknown keys to sort by', `sort=${fill('a,')}`],
        ['a long word', `filter[q]=${fill('a')}`],
        ['many words', `filter[q]=${fill('a+')}`],
        ['brackets', fill('filter[[[]]]=&')],
        ['names that are none', fill('a&')],
        ['a page', `page[number]=${fill('9')}`],
      ].map(([what = '', query = '']) => ({ what, path: `/api/v2/projects?${query}` })),
  },
  {
    name: 'cookies',
    readBy: 'readSiteCookies and readCookies',
    bounds: { bytes: LIMITS.maxHeaderSize, ms: HEAD_MS },
    worst: () => [
      ...readPages(
        'many cookies',
        'cookie',
        join(2000, (at) => `${at.toString(36)}=`, ';'),
      ),
      ...readPages('cookies that are none', 'cookie', fill(';=')),
      ...readPages('spaces', 'cookie', `a=${fill(' ')}b`),
      ...readPages('a long token', 'cookie', `token=${fill('a')}`),
      ...readPages('a long language and consent', 'cookie', `current_language=${fill('e', 6000)};consent=${fill('%7B', 6000)}`),
      {
        what: 'sealed cookies',
        path: `/sign-in/${crypto.randomUUID()}/callback?state=abcdefgh`,
        headers: { cookie: `sign_in_abcdefgh=${fill('A')}` },
      },
    ],
  },
  {
    name: 'Accept-Language',
    readBy: 'negotiator',
    bounds: { bytes: MAX_HEADER_LENGTH, ms: HEAD_MS },
    worst: () => [
      ...readPages('many languages', 'accept-language', fill('a,', MAX_HEADER_LENGTH)),
      ...readPages('many weights', 'accept-language', fill('a;q=0.1,', MAX_HEADER_LENGTH)),
      ...readPages('spaces', 'accept-language', `en${fill(' ', MAX_HEADER_LENGTH - 4)};`),
      ...readPages('more than is read', 'accept-language', fill('en-')),
    ],
  },
  {
    name: 'other headers of a request',
    readBy: 'chooseEncoding, acceptsJsonApi, matchesEntityTag, readClientAddress, findOrigin, busboy',
    bounds: { bytes: LIMITS.maxHeaderSize, ms: HEAD_MS },
    worst: ({ activity }) =>
      [
        ['accept', fill('a/b;c=d,')],
        ['accept', fill('application/vnd.api+json;ext="a ",', HEADER_ROOM)],
        ['accept', fill('"\\')],
        ['accept-encoding', fill('br;q=0')],
        ['accept-encoding', `br${fill(' ')};`],
        ['accept-encoding', fill('gzip;q=0.0')],
        ['if-none-match', fill('W/"x",')],
        ['x-forwarded-for', fill('1,')],
        ['x-forwarded-for', fill(':')],
        ['x-forwarded-proto', fill(',')],
        ['forwarded', fill('for=a;')],
        ['referer', `https://${fill('a.')}`],
        ['referer', fill('https://')],
        ['user-agent', fill('Mozilla/5.0 (')],
        ['user-agent', fill('a ')],
        ['x-api-token', `Bearer ${fill(' ')}`],
        ['authorization', `Bearer ${fill(' ')}`],
        ['origin', `https://${fill('a.')}`],
        ['range', `bytes=${fill('0-,')}`],
        ['traceparent', fill('00-')],
      ]
        .flatMap(([name = '', value = '']) => readPages(`${name} ${value.slice(0, 8)}`, name, value))
        .concat(
          [
            `multipart/form-data; boundary=${fill('a', 200)}`,
            `multipart/form-data; ${fill('a=b;')}`,
            `multipart/form-data${fill(';')}`,
            `application/json${fill(' ')};a`,
          ].flatMap((type) =>
            [`${activity}/new`, '/sign-in', '/api/v2/sessions'].map((path) => ({
              what: `content type ${type.slice(0, 22)} for ${path}`,
              method: 'POST' as const,
              path,
              headers: { 'content-type': type },
              body: '--b',
            })),
          ),
        ),
  },
  {
    name: 'documents of the API',
    readBy: 'readJson, then the schema of the resource',
    bounds: { ...ANSWERS_BOUNDS, count: ANSWERS_BOUNDS.values, depth: MAX_JSON_DEPTH, ms: WHOLE_MS },
    worst: ({ surveyId }) => {
      const respond = (answers: unknown) =>
        document('responses', { answers, sendKey: 'k'.repeat(22) }, { survey: { data: { type: 'surveys', id: surveyId } } })
      const most = ANSWERS_BOUNDS.values - 100
      return [
        ['a list', `[${'0,'.repeat(most)}0]`],
        ['lists', `[${'[],'.repeat(most / 2)}0]`],
        ['nested as deep as allowed', nest(MAX_JSON_DEPTH, '[', ']')],
        ['nested deeper', nest(100_000, '[', ']')],
        ['open brackets', '['.repeat(ANSWERS_BOUNDS.bytes)],
        ['answers to many questions', respond(Object.fromEntries(times(most, (at) => [`a${at}`, 1])))],
        ['an answer with many choices', respond({ mode: { choices: times(most, () => 'a') } })],
        ['long answers', respond(Object.fromEntries(times(10, (at) => [`a${at}`, 'é '.repeat(8000)])))],
        ['escapes', `{"data":"${'\\u0041'.repeat(60_000)}"}`],
        ['backslashes', `{"data":"${'\\\\'.repeat(150_000)}"}`],
        ['a long number', `{"data":${'9'.repeat(300_000)}}`],
        ['long names', `{${join(300, (at) => `"${'k'.repeat(1000)}${at}":0`, ',')}}`],
        ['many members of the document', `{${join(most, (at) => `"m${at}":0`, ',')}}`],
      ].map(([what = '', body = '']) => ({ what, method: 'POST' as const, path: '/api/v2/responses', headers: JSON_API, body }))
    },
  },
  {
    name: 'operations in one request',
    readBy: 'readJson, then runOperations',
    bounds: { bytes: OPERATIONS_BOUNDS.bytes, count: OPERATIONS_BOUNDS.values, depth: MAX_JSON_DEPTH, ms: WHOLE_MS },
    worst: () =>
      [
        ['empty operations', `{"atomic:operations":[${'{},'.repeat(OPERATIONS_BOUNDS.values / 2 - 10)}{}]}`],
        [
          'one huge operation',
          `{"atomic:operations":[{"op":"add","data":{"type":"projects","attributes":{${join(50_000, (at) => `"a${at}":0`, ',')}}}}]}`,
        ],
        ['more values than allowed', `{"atomic:operations":[${'0,'.repeat(900_000)}0]}`],
      ].map(([what = '', body = '']) => ({
        what,
        method: 'POST' as const,
        path: '/api/v2/operations',
        headers: { 'content-type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"' },
        body,
      })),
  },
  {
    name: 'changes of a relationship',
    readBy: 'readJson, then changeRowLinks',
    bounds: { bytes: LINKAGE_BOUNDS.bytes, count: LINKAGE_BOUNDS.values, depth: MAX_JSON_DEPTH, ms: WHOLE_MS },
    worst: () => [
      {
        what: 'many identifiers',
        method: 'PATCH',
        path: `/api/v2/projects/${crypto.randomUUID()}/relationships/areas`,
        headers: JSON_API,
        body: `{"data":[${join(1300, () => '{"type":"areas","id":"x"}', ',')}]}`,
      },
    ],
  },
  {
    name: 'GeoJSON that anybody draws',
    readBy: 'parseGeometry',
    bounds: { bytes: contributionShape.body.bytes, count: MAX_GEOMETRY_POINTS, depth: MAX_JSON_DEPTH, ms: WHOLE_MS },
    worst: ({ activityId }) =>
      list<object>([
        [
          'as many points as allowed',
          { type: 'LineString', coordinates: times(MAX_GEOMETRY_POINTS, (at) => [at / 1000, (at % 7) / 1000]) },
        ],
        [
          'an area that crosses itself everywhere',
          { type: 'Polygon', coordinates: [[...times(MAX_GEOMETRY_POINTS, (at) => [at % 2, at / 1000]), [0, 0]]] },
        ],
        [
          'many rings',
          {
            type: 'Polygon',
            coordinates: times(1000, () => [
              [0, 0],
              [0, 1],
              [1, 1],
              [0, 0],
            ]),
          },
        ],
        ['more points', { type: 'LineString', coordinates: times(4000, () => [0, 0]) }],
      ]).map(([what, geometry]) => ({
        what,
        method: 'POST' as const,
        path: '/api/v2/contributions',
        headers: JSON_API,
        body: document(
          'contributions',
          {
            title: 'Bench',
            body: 'A bench',
            categories: [],
            shownAs: 'anonymous',
            shownName: '',
            placeText: '',
            geometry,
            sendKey: 'k'.repeat(22),
          },
          { activity: { data: { type: 'activities', id: activityId } } },
        ),
      })),
  },
  {
    name: 'calls of server functions',
    readBy: 'readCall, then seroval',
    bounds: { bytes: SMALL_CALL.bytes, count: SMALL_CALL.values, depth: DEEPEST_CALL, ms: WHOLE_MS },
    worst: ({ keepAnswers, readFunction }) => {
      const nodes = (count: number) =>
        `{"t":{"t":10,"i":0,"p":{"k":["data"],"v":[{"t":9,"i":1,"a":[${join(count, () => '{"t":0,"s":1}', ',')}],"o":0}]},"o":0},"f":63,"m":[]}`
      return [
        ...[
          ['a list', nodes(900)],
          ['nested', `{"t":${nest(DEEPEST_CALL - 2, '[', ']')},"f":63,"m":[]}`],
          ['nested deeper', `{"t":${'['.repeat(30_000)}`],
          ['a pattern to match', '{"t":{"t":10,"i":0,"p":{"k":["data"],"v":[{"t":6,"i":1,"c":"(a+)+$","m":""}]},"o":0},"f":63,"m":[]}'],
          ['a sparse list', '{"t":{"t":9,"i":0,"l":4000000000,"a":[],"o":0},"f":63,"m":[]}'],
          ['a large buffer', `{"t":{"t":19,"i":0,"s":"${'A'.repeat(30_000)}"},"f":63,"m":[]}`],
          ['a number of many digits', `{"t":{"t":3,"s":"${'9'.repeat(30_000)}"},"f":63,"m":[]}`],
        ].map(([what = '', body = '']) => ({
          what: `posted: ${what}`,
          method: 'POST' as const,
          path: keepAnswers,
          headers: { 'content-type': 'application/json', 'x-tsr-serverfn': 'true' },
          body,
        })),
        {
          what: 'posted: as much as answers may be',
          method: 'POST',
          path: keepAnswers,
          headers: { 'content-type': 'application/json', 'x-tsr-serverfn': 'true' },
          body: nodes(20_000),
        },
        ...[nodes(200), `{"t":${nest(DEEPEST_CALL - 2, '[', ']')},"f":63,"m":[]}`, '['.repeat(4000)].map((payload) => ({
          what: `in the address: ${payload.slice(0, 20)}`,
          path: `${readFunction}?payload=${encodeURIComponent(payload).slice(0, 3800).replace(/%.?$/, '')}`,
          headers: { 'x-tsr-serverfn': 'true' },
        })),
        {
          what: 'in parts',
          method: 'POST',
          path: keepAnswers,
          headers: { ...MULTIPART, 'x-tsr-serverfn': 'true' },
          body: buildParts(times(600, (at) => buildPart(`f${at}`, '1'))),
        },
        { what: 'as a form', method: 'POST', path: keepAnswers, headers: { ...FORM, 'x-tsr-serverfn': 'true' }, body: fill('a&', 30_000) },
      ]
    },
  },
  {
    name: 'forms',
    readBy: 'readFields',
    bounds: { bytes: ANSWER_FORM_BOUNDS.bytes, count: ANSWER_FORM_BOUNDS.fields, ms: WHOLE_MS },
    worst: ({ survey, activity }) => [
      ...['/sign-in', '/register', '/forgot-password', '/cookies', '/verify', '/receipt', `${activity}/new`].flatMap((path) => [
        {
          what: `as many fields as allowed, ${path}`,
          method: 'POST' as const,
          path,
          headers: FORM,
          body: join(SMALL_FORM.fields, (at) => `f${at}=1`, '&'),
        },
        {
          what: `one field, as long as allowed, ${path}`,
          method: 'POST' as const,
          path,
          headers: FORM,
          body: `email=${fill('a@', 31_000)}&title=x&code=y`,
        },
        ...['code', 'email', 'name', 'body', 'title', 'postcode'].map((name) => ({
          what: `spaces in ${name}, ${path}`,
          method: 'POST' as const,
          path,
          headers: FORM,
          body: `form=code&${name}=${fill('+', 30_000)}x`,
        })),
      ]),
      {
        what: 'as many answers as allowed',
        method: 'POST',
        path: survey,
        headers: FORM,
        body: join(ANSWER_FORM_BOUNDS.fields, (at) => `q.${at}=1`, '&'),
      },
      {
        what: 'one answer over and over',
        method: 'POST',
        path: survey,
        headers: FORM,
        body: join(ANSWER_FORM_BOUNDS.fields, () => 'mode=1', '&'),
      },
      { what: 'one long answer', method: 'POST', path: survey, headers: FORM, body: `mode=${fill('%41', ANSWER_FORM_BOUNDS.bytes - 10)}` },
      { what: 'more fields than allowed', method: 'POST', path: survey, headers: FORM, body: fill('a&', ANSWER_FORM_BOUNDS.bytes - 10) },
      { what: 'more bytes than any page takes', method: 'POST', path: '/projects', headers: FORM, body: fill('a&', MAX_BODY_BYTES - 10) },
    ],
  },
  {
    name: 'forms in parts',
    readBy: 'busboy',
    bounds: { bytes: MAX_FILE_FORM_BYTES, count: ANSWER_FORM_BOUNDS.fields, ms: WHOLE_MS },
    worst: ({ survey }) => {
      const send = (what: string, body: string, path = survey) => ({ what, method: 'POST' as const, path, headers: MULTIPART, body })
      return [
        send('as many parts as allowed', buildParts(times(ANSWER_FORM_BOUNDS.fields, (at) => buildPart(`f${at}`, '1')))),
        send('many files', buildParts(times(20_000, (at) => buildPart(`f${at}`, '1', '; filename="a"')))),
        send('parts that are none', '--b\r\n'.repeat(400_000)),
        send('dashes', `--b\r\n${buildPart('f', '\r\n-'.repeat(500_000))}`),
        send('almost the boundary', `--b\r\n${buildPart('f', '\r\n--'.repeat(400_000))}`),
        send('many headers of a part', `--b\r\n${'x: y\r\n'.repeat(300_000)}\r\n1\r\n--b--`),
        send('one long header of a part', `--b\r\ncontent-disposition: form-data; ${'a=b; '.repeat(300_000)}\r\n\r\n1\r\n--b--`),
        send('a long name', buildParts([buildPart('n'.repeat(1_000_000), '1')])),
        send('a small form', buildParts(times(SMALL_FORM.fields, (at) => buildPart(`f${at}`, '1'))), '/sign-in'),
        send('a small form with too much', buildParts([buildPart('f', 'x'.repeat(1_000_000))]), '/sign-in'),
      ]
    },
  },
  {
    name: 'photos of contributions, and what cameras write into them',
    readBy: 'sharp',
    bounds: { bytes: MAX_PHOTO_MEGABYTES * 1_000_000, count: MAX_PIXELS * MAX_PHOTOS, ms: WHOLE_MS },
    worst: ({ activity }) =>
      list<Buffer>([
        ['more pixels than anybody has', declarePixels(60_000, 60_000)],
        ['pixels that never come', declarePixels(8000, 5000)],
        ['many small pieces', buildCommentedPicture(4_000_000)],
        ['words', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'.repeat(50_000))],
        ['zeros', Buffer.alloc(9_000_000)],
      ]).map(([what, photo]) => ({
        what,
        method: 'POST' as const,
        path: `${activity}/new`,
        headers: MULTIPART,
        body: photoForm(photo),
      })),
  },
  {
    name: 'SAML answers',
    readBy: 'readBoundedXml, then node-saml with xmldom, xml-crypto and xml2js',
    bounds: { bytes: MAX_ANSWER_BYTES, depth: SAML_BOUNDS.depth, count: SAML_BOUNDS.elements, ms: WHOLE_MS },
    worst: ({ saml: path }) =>
      [
        ['namespaces in each other', saml(join(5000, (at) => `<a xmlns:n${at}="u">`) + '</a>'.repeat(5000))],
        ['one namespace over and over', saml(nest(8000, '<a xmlns="u">', '</a>'))],
        ['nested', saml(nest(25_000, '<a>', '</a>'))],
        ['as many elements as allowed', saml(FORGED + '<a/>'.repeat(SAML_BOUNDS.elements - 20))],
        ['as many attributes as allowed', saml(FORGED + join(900, (at) => `<a xmlns:b="u${at}" b:c="" d=""/>`))],
        ['as deep as allowed', saml(FORGED + nest(SAML_BOUNDS.depth - 2, '<a xmlns:b="u" xmlns:c="u"><d/>', '</a>'))],
        ['more elements', saml('<a/>'.repeat(50_000))],
        ['attributes of one element', saml(`<a ${join(15_000, (at) => `a${at}=""`, ' ')}/>`)],
        [
          'entities',
          `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${join(30, (at) => `<!ENTITY a${at} "&a;&a;&a;&a;&a;&a;&a;&a;">`)}]><r>&a29;</r>`,
        ],
        ['angle brackets', '<'.repeat(200_000)],
        ['one long text', saml(FORGED + `<a>${'&amp;'.repeat(40_000)}</a>`)],
        ['nothing but a field', ''],
      ].map(([what = '', xml = '']) => ({
        what,
        method: 'POST' as const,
        path,
        headers: FORM,
        body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: 'x' }).toString(),
      })),
  },
  {
    name: 'logout tokens (JWT) of providers',
    readBy: 'jose',
    bounds: { bytes: MAX_LOGOUT_BYTES, ms: WHOLE_MS },
    worst: ({ openId }) =>
      [
        ['dots', '.'.repeat(19_000)],
        ['a nested head', `${Buffer.from(nest(5000, '[', ']')).toString('base64url')}.e30.AA`],
        ['a long payload', `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${'A'.repeat(18_000)}.AA`],
        ['more than allowed', 'A'.repeat(100_000)],
      ].map(([what = '', token = '']) => ({ what, method: 'POST' as const, path: openId, headers: FORM, body: `logout_token=${token}` })),
  },
  {
    name: 'hooks of text services',
    readBy: 'URLSearchParams and JSON.parse, then the service’s signature',
    bounds: { bytes: MAX_HOOK_BYTES, ms: WHOLE_MS },
    worst: ({ sms }) => [
      { what: 'many fields', method: 'POST', path: sms.form, headers: FORM, body: fill('a&', MAX_HOOK_BYTES - 10) },
      { what: 'many names', method: 'POST', path: sms.form, headers: FORM, body: join(16_000, (at) => at.toString(36), '&') },
      {
        what: 'one name with many values',
        method: 'POST',
        path: sms.form,
        headers: FORM,
        body: join(12_000, (at) => `a=${at.toString(36)}`, '&'),
      },
      { what: 'nested', method: 'POST', path: sms.json, headers: { 'content-type': 'application/json' }, body: nest(49_000, '[', ']') },
      { what: 'more than allowed', method: 'POST', path: sms.form, headers: FORM, body: fill('a&', 1_900_000) },
    ],
  },
  {
    name: 'emails that come back (MIME)',
    readBy: 'postal-mime and readDeliveryReport, after the token of the mail server',
    bounds: { bytes: MAX_MAIL_BYTES, depth: PARSE_LIMITS.maxNestingDepth, count: MOST_READ.lines, ms: WHOLE_MS },
    worst: ({ mailToken }) => {
      const report = (inside: string) =>
        `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; a\r\n\r\n${inside}\r\n--b--\r\n`
      return [
        ['many parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n\r\n'.repeat(150_000)}`],
        ['nested', join(40_000, (at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`)],
        ['many headers', `${'a: b\r\n'.repeat(250_000)}\r\n`],
        ['one long header', `Subject: ${'=?utf-8?q?a?= '.repeat(15_000)}\r\n\r\n`],
        ['addresses', `To: ${'a@b.example,'.repeat(20_000)}\r\n\r\n`],
        ['nested groups of addresses', `To: ${'a:('.repeat(60_000)}\r\n\r\n`],
        ['references', `References: ${'<a@b> '.repeat(40_000)}\r\n\r\n`],
        ['many groups', report('Action: failed\r\nStatus: 5.1.1\r\n\r\n'.repeat(45_000))],
        ['a long reason', report(`Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; ${'5.1.'.repeat(400_000)}\r\n`)],
        ['spaces', report(`Action: failed\r\nStatus:${' '.repeat(1_500_000)}x\r\n`)],
        ['empty lines', report('\r\n'.repeat(700_000))],
        ['blank lines', report('\n \t'.repeat(500_000))],
        ['lines that go on', report('\r\n '.repeat(500_000))],
        ['HTML', `Content-Type: text/html\r\n\r\n${'<a href="'.repeat(200_000)}`],
        ['quoted-printable', `Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n'.repeat(500_000)}`],
      ].map(([what = '', body = '']) => ({
        what,
        method: 'POST' as const,
        path: '/hooks/mail',
        headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${mailToken}` },
        body,
      }))
    },
  },
  {
    name: 'reports of browsers on the content policy',
    readBy: 'JSON.parse',
    bounds: { bytes: MAX_REPORT_BYTES, ms: WHOLE_MS },
    worst: () =>
      [
        ['nested', nest(8000, '[', ']')],
        ['a long address', `{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://${fill('a.', 15_000)}"}}`],
        ['more than allowed', '['.repeat(1_900_000)],
      ].map(([what = '', body = '']) => ({
        what,
        method: 'POST' as const,
        path: '/policy-reports',
        headers: { 'content-type': 'application/csp-report' },
        body,
      })),
  },
  {
    name: 'translations, which are only read from administrators, in a process that has nothing else',
    readBy: 'readXliff, by readBoundedXml',
    bounds: { bytes: LARGEST_TRANSLATIONS, depth: XLIFF_BOUNDS.depth, count: XLIFF_BOUNDS.elements, ms: WHOLE_MS },
    worst: () =>
      list([
        ['nested', nest(50_000, '<a>', '</a>')],
        ['one namespace over and over', nest(8000, '<a xmlns="u">', '</a>')],
        ['as many elements as allowed', '<a/>'.repeat(XLIFF_BOUNDS.elements)],
        ['angle brackets', '<'.repeat(200_000)],
      ]).map(([what, inside]) => ({
        what,
        method: 'POST' as const,
        path: '/admin/languages/import.json',
        headers: MULTIPART,
        body: buildParts([buildPart('file', `<xliff version="2.1">${inside}</xliff>`, '; filename="texts.xlf"')]),
      })),
  },
  {
    name: 'the pages that a browser says were seen',
    readBy: 'handleSeenBeacon',
    bounds: { bytes: MAX_PATHNAME_LENGTH, ms: WHOLE_MS },
    worst: () =>
      ['/'.repeat(MAX_PATHNAME_LENGTH), fill('/a', MAX_PATHNAME_LENGTH), '/'.repeat(1_900_000)].map((body) => ({
        what: `${body.length} characters`,
        method: 'POST' as const,
        path: '/seen',
        headers: { 'content-type': 'text/plain' },
        body,
      })),
  },
]
