import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import type { FIELD_KINDS, FieldWords, Manifest } from './marketplace.schema.ts'

/** One setting as a form draws it, in one language. */
export interface SettingField {
  name: string
  kind: (typeof FIELD_KINDS)[number]
  label: string
  hint: string | null
  secret: boolean
  required: boolean
  choices: string[]
}

/** The form of an integration, read off its settings' schema. */
export function fieldsOf({ settings }: Pick<Manifest, 'settings'>, language: Language): SettingField[] {
  return Object.entries(settings.entries).map(([name, entry]) => {
    const { label, hint, secret = false } = v.getMetadata(entry) as unknown as FieldWords
    const inner = bare(entry)
    return {
      name,
      kind: inner.type === 'picklist' ? 'choice' : inner.type === 'boolean' ? 'yes-no' : inner.type === 'number' ? 'number' : 'text',
      label: label[language],
      hint: hint?.[language] ?? null,
      secret,
      required: entry.type !== 'optional' && inner.type !== 'boolean',
      choices: inner.type === 'picklist' ? [...inner.options] : [],
    }
  })
}

/** Names of the settings that are kept sealed. */
export const secretNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => flagged(manifest, 'secret')

/** Names of the settings that say where secrets go. */
export const destinationNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => flagged(manifest, 'destination')

const flagged = ({ settings }: Pick<Manifest, 'settings'>, flag: 'secret' | 'destination'): Set<string> =>
  new Set(
    Object.entries(settings.entries).flatMap(([name, entry]) =>
      (v.getMetadata(entry as v.GenericSchema) as Partial<FieldWords>)[flag] ? [name] : [],
    ),
  )

interface BareSchema {
  type: string
  options: readonly string[]
}

/** What an entry takes, without what is wrapped around it. */
function bare(entry: unknown): BareSchema {
  const { type, options = [], wrapped } = entry as Partial<BareSchema> & { wrapped?: unknown }
  return type === 'optional' && wrapped ? bare(wrapped) : { type: type ?? 'string', options }
}
