import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { type AnyShape, type CreateFlag, toTranslationsName } from '../../lib/api-client/resource-shape.ts'
import { CONTENT_LANGUAGES } from '../../lib/languages.ts'
import { ERROR_CODES } from '../../lib/error-catalogue.ts'
import { type Figure, isPublicFigure } from '../../lib/figure-definitions.ts'
import { getTranslator } from '../i18n.ts'

export type Json = Record<string, unknown>

export const toSchemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

const buildObjectSchema = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})

const describeFigure = (figure: Figure): string =>
  isPublicFigure(figure)
    ? getTranslator('en', 'common')(`figures.${figure}.means`)
    : getTranslator('en', 'admin')(`figures.${figure}.means`)

/** Schemas that every resource refers to. */
const buildCommonSchemas = (): Json => ({
  Translated: {
    description: 'A text in the site’s languages.',
    ...buildObjectSchema(Object.fromEntries(CONTENT_LANGUAGES.map((language) => [language, { type: 'string' }]))),
    additionalProperties: false,
  },
  Links: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  PageMeta: buildObjectSchema(
    {
      total: { type: 'integer' },
      page: buildObjectSchema({ number: { type: 'integer' }, size: { type: 'integer' }, last: { type: 'integer' } }, [
        'number',
        'size',
        'last',
      ]),
    },
    ['total', 'page'],
  ),
  Included: { type: 'array', items: buildObjectSchema({ type: { type: 'string' }, id: { type: 'string' } }, ['type', 'id']) },
  Error: buildObjectSchema(
    {
      id: { type: 'string' },
      status: { type: 'string' },
      code: { type: 'string', enum: ERROR_CODES },
      title: { type: 'string', description: 'A message for people, in the language of the response.' },
      detail: { type: 'string', description: 'What exactly is wrong, for developers.' },
      source: buildObjectSchema({ pointer: { type: 'string' }, parameter: { type: 'string' } }),
      meta: { type: 'object' },
    },
    ['status', 'code', 'title'],
  ),
  Errors: buildObjectSchema({ jsonapi: toSchemaRef('Jsonapi'), errors: { type: 'array', items: toSchemaRef('Error'), minItems: 1 } }, [
    'errors',
  ]),
  Jsonapi: buildObjectSchema({ version: { const: '1.1' } }, ['version']),
})

/** Collects JSON schemas converted from valibot's; recursive parts become components of their own. */
export class SchemaCollector {
  readonly schemas: Json = buildCommonSchemas()

  /** Describes the wire format; `output` describes what a filter's text is parsed into. */
  convert(schema: v.GenericSchema, name: string, typeMode: 'input' | 'output' = 'input'): Json {
    const toComponentName = (id: string) => `${name}.${id}`
    const {
      $schema: _dialect,
      $defs,
      ...converted
    } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode,
      errorMode: 'ignore',
      overrideRef: ({ referenceId }) => toSchemaRef(toComponentName(referenceId))['$ref'] as string,
    }) as Json
    for (const [id, definition] of Object.entries(($defs ?? {}) as Json)) this.schemas[toComponentName(id)] = definition
    return converted
  }

  /** Adds every schema of a type's documents and inputs, as `<type>` and `<type>.<part>`. */
  addResource(shape: AnyShape): void {
    const { type } = shape
    this.schemas[`${type}.attributes`] = this.#documentAttributes(shape)
    this.schemas[`${type}.identifier`] = buildObjectSchema({ type: { const: type }, id: this.#idOf(shape) }, ['type', 'id'])
    this.schemas[type] = this.#resource(shape)
    this.schemas[`${type}.document`] = buildObjectSchema(
      {
        jsonapi: toSchemaRef('Jsonapi'),
        links: toSchemaRef('Links'),
        data: shape.kind === 'singleton' ? toNullable(toSchemaRef(type)) : toSchemaRef(type),
        included: toSchemaRef('Included'),
      },
      ['data'],
    )
    const { operations } = shape
    if (operations.includes('list')) this.schemas[`${type}.collection`] = this.buildCollection(type)
    if (operations.includes('create') || operations.includes('put'))
      this.schemas[`${type}.create`] = this.#input(shape, (declared) => declared.create, false)
    if (operations.includes('update')) {
      this.schemas[`${type}.update`] = this.#input(shape, (declared) => (declared.update ? 'optional' : false), true)
    }
  }

  buildCollection(type: string): Json {
    return buildObjectSchema(
      {
        jsonapi: toSchemaRef('Jsonapi'),
        links: toSchemaRef('Links'),
        data: { type: 'array', items: toSchemaRef(type) },
        included: toSchemaRef('Included'),
        meta: toSchemaRef('PageMeta'),
      },
      ['data', 'links', 'meta'],
    )
  }

  #idOf(shape: AnyShape): Json {
    return this.convert(shape.id, `${shape.type}.id`)
  }

  #documentAttributes(shape: AnyShape): Json {
    const properties: Json = {}
    const required: string[] = []
    for (const [name, declared] of Object.entries(shape.attributes)) {
      if (declared.kind === 'translated') {
        properties[name] = { type: 'string', description: 'In the language of the response.' }
        properties[toTranslationsName(name)] = { ...toSchemaRef('Translated'), description: 'For people who may edit it.' }
        required.push(name)
      } else if (declared.read !== false) {
        properties[name] = this.convert(declared.schema, `${shape.type}.${name}`)
        if (declared.figure) Object.assign(properties[name] as Json, { description: describeFigure(declared.figure) })
        if (declared.read === true) required.push(name)
      }
    }
    return buildObjectSchema(properties, required)
  }

  #resource(shape: AnyShape): Json {
    const relationships = Object.entries(shape.relationships).map(([name, { kind, target }]) => {
      const identifier = toSchemaRef(`${target}.identifier`)
      const data = kind === 'to-one' ? toNullable(identifier) : { type: 'array', items: identifier }
      return [name, buildObjectSchema({ links: toSchemaRef('Links'), data })]
    })
    const meta = {
      can: buildObjectSchema(Object.fromEntries(shape.can.map((name) => [name, { type: 'boolean' }])), shape.can),
      ...(shape.locked ? { lockVersion: { type: 'integer' } } : {}),
      languages: { type: 'object', additionalProperties: { enum: [...CONTENT_LANGUAGES] } },
    }
    return {
      description: shape.summary,
      ...buildObjectSchema(
        {
          type: { const: shape.type },
          id: this.#idOf(shape),
          attributes: toSchemaRef(`${shape.type}.attributes`),
          ...(relationships.length > 0 ? { relationships: buildObjectSchema(Object.fromEntries(relationships) as Json) } : {}),
          links: toSchemaRef('Links'),
          meta: buildObjectSchema(meta),
        },
        ['type', 'id'],
      ),
    }
  }

  #input(shape: AnyShape, flagOf: (declared: { create: CreateFlag; update: boolean }) => CreateFlag, isUpdate: boolean): Json {
    const attributes: Json = {}
    const relationships: Json = {}
    const needed = { attributes: [] as string[], relationships: [] as string[] }
    for (const [name, declared] of Object.entries(shape.attributes)) {
      const flag = flagOf(declared)
      if (flag === false) continue
      const key = declared.kind === 'translated' ? toTranslationsName(name) : name
      attributes[key] = declared.kind === 'translated' ? toSchemaRef('Translated') : this.convert(declared.schema, `${shape.type}.${name}`)
      if (flag === 'required') needed.attributes.push(key)
    }
    for (const [name, declared] of Object.entries(shape.relationships)) {
      const flag = flagOf(declared)
      if (flag === false) continue
      relationships[name] = buildLinkage(declared)
      if (flag === 'required') needed.relationships.push(name)
    }
    const identified = isUpdate && shape.kind === 'collection'
    const data = buildObjectSchema(
      {
        type: { const: shape.type },
        ...(identified || shape.clientIds ? { id: this.#idOf(shape) } : {}),
        attributes: { ...buildObjectSchema(attributes, needed.attributes), additionalProperties: false },
        ...(Object.keys(relationships).length > 0
          ? { relationships: { ...buildObjectSchema(relationships, needed.relationships), additionalProperties: false } }
          : {}),
        ...(shape.locked ? { meta: buildObjectSchema({ lockVersion: { type: 'integer' } }) } : {}),
      },
      [
        'type',
        ...(identified ? ['id'] : []),
        ...(needed.attributes.length > 0 ? ['attributes'] : []),
        ...(needed.relationships.length > 0 ? ['relationships'] : []),
      ],
    )
    return buildObjectSchema({ data }, ['data'])
  }
}

function buildLinkage(declared: AnyShape['relationships'][string]): Json {
  const identifier = toSchemaRef(`${declared.target}.identifier`)
  if (declared.kind !== 'to-one') return buildObjectSchema({ data: { type: 'array', items: identifier } }, ['data'])
  return buildObjectSchema({ data: declared.nullable ? toNullable(identifier) : identifier }, ['data'])
}

const toNullable = (schema: Json): Json => ({ oneOf: [schema, { type: 'null' }] })
