import { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * What DCAT-US 3.0 (https://resources.data.gov/resources/dcat-us-3-catalog/) says of the classes that a catalogue of ours is made of: what
 * each must have, the kind of each value, and no property that the class does not have.
 */
const text = { type: 'string', minLength: 1 }
const address = { type: 'string', pattern: '^https?://[^\\s"<>{}|^`\\\\]+$' }
const language = { type: 'array', items: { type: 'string', pattern: '^[a-z]{2}$' } }
const date = { type: 'string', pattern: '^\\d{4}(-\\d{2}(-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2}))?)?)?$' }
const a = (name: string) => ({ $ref: `#/$defs/${name}` })
const many = (name: string) => ({ type: 'array', items: a(name) })
const describeClass = (name: string, required: readonly string[], properties: Record<string, object>) => ({
  type: 'object',
  required,
  properties: { '@id': address, '@type': { const: name }, ...properties },
  additionalProperties: false,
})

const described = { title: text, description: text, identifier: text, language, modified: date, accessRights: text }

const SCHEMA = {
  $ref: '#/$defs/Catalog',
  $defs: {
    Catalog: describeClass('Catalog', ['dataset'], {
      ...described,
      publisher: a('Organization'),
      conformsTo: a('Standard'),
      contactPoint: many('Kind'),
      dataset: many('Dataset'),
    }),
    Dataset: describeClass('Dataset', ['title', 'description', 'identifier', 'contactPoint'], {
      ...described,
      publisher: a('Organization'),
      contactPoint: { anyOf: [a('Kind'), many('Kind')] },
      version: text,
      hasCurrentVersion: a('Dataset'),
      landingPage: a('Document'),
      describedBy: a('Distribution'),
      distribution: many('Distribution'),
      // Of DCAT-US 1.1: harvesters of that age look for them, and 3.0 does not forbid them.
      license: address,
      accessLevel: { enum: ['public', 'restricted public', 'non-public'] },
    }),
    Distribution: describeClass('Distribution', [], {
      ...described,
      downloadURL: address,
      accessURL: address,
      mediaType: { type: 'string', pattern: '^[a-z]+/[a-z0-9.+-]+$' },
      format: text,
      license: address,
      describedBy: a('Distribution'),
    }),
    Document: describeClass('Document', ['title'], {
      title: text,
      description: text,
      identifier: text,
      accessURL: address,
      downloadURL: address,
    }),
    Kind: describeClass('Kind', ['fn', 'hasEmail'], {
      fn: text,
      hasEmail: { type: 'string', pattern: '^mailto:[^@\\s]+@[\\w.-]+\\.[\\w-]+$' },
    }),
    Organization: describeClass('Organization', ['name'], { name: text, prefLabel: text }),
    Standard: describeClass('Standard', [], { title: text, description: text, identifier: text }),
  },
}

const validate = new Ajv2020({ allErrors: true }).compile(SCHEMA)

/** Where a catalogue is not as DCAT-US 3.0 says, and why. */
export function findDcatUsFaults(catalogue: unknown): string[] {
  validate(catalogue)
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
}
