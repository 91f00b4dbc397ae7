import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import type { FIELD_KINDS, FieldWords, Manifest, SettingValue } from './marketplace.schema.ts'

/** One setting as a form draws it, in one language. */
export interface SettingField {
  name: string
  kind: (typeof FIELD_KINDS)[number]
  label: string
  hint: string | null
  secret: boolean
  required: boolean
  /** What holds while nothing is set. */
  preset: SettingValue | null
  choices: { value: string; label: string }[]
}

/** The form of an integration, read off its settings' schema. */
export function buildSettingFields({ settings }: Pick<Manifest, 'settings'>, language: Language): SettingField[] {
  return Object.entries(settings.entries).flatMap(([name, entry]) => {
    const { label, hint, secret = false, made = false, choices = {} } = v.getMetadata(entry) as unknown as FieldWords
    if (made) return []
    const inner = unwrapSchema(entry)
    return {
      name,
      kind: inner.type === 'picklist' ? 'choice' : inner.type === 'boolean' ? 'yes-no' : inner.type === 'number' ? 'number' : 'text',
      label: label[language],
      hint: hint?.[language] ?? null,
      secret,
      required: entry.type !== 'optional' && inner.type !== 'boolean',
      preset: secret ? null : ((entry as { default?: SettingValue }).default ?? null),
      choices: inner.type === 'picklist' ? inner.options.map((value) => ({ value, label: choices[value]?.[language] ?? value })) : [],
    }
  })
}

/** Names of the settings that are kept sealed. */
export const listSecretNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => listFlaggedNames(manifest, 'secret')

/** Names of the settings that say where secrets go. */
export const listDestinationNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => listFlaggedNames(manifest, 'destination')

/** Names of the settings that the server sends to, by what they name. */
export const listReachedNames = ({ settings }: Pick<Manifest, 'settings'>): Map<string, 'web' | 'host'> =>
  new Map(
    Object.entries(settings.entries).flatMap(([name, entry]) => {
      const { reaches } = v.getMetadata(entry) as Partial<FieldWords>
      return reaches ? [[name, reaches]] : []
    }),
  )

/** Names of the settings that the product makes itself. */
export const listGeneratedNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => listFlaggedNames(manifest, 'made')

const listFlaggedNames = ({ settings }: Pick<Manifest, 'settings'>, flag: 'secret' | 'destination' | 'made'): Set<string> =>
  new Set(
    Object.entries(settings.entries).flatMap(([name, entry]) =>
      (v.getMetadata(entry as v.GenericSchema) as Partial<FieldWords>)[flag] ? [name] : [],
    ),
  )

interface UnwrappedSchema {
  type: string
  options: readonly string[]
}

/** What an entry takes, without what is wrapped around it. */
function unwrapSchema(entry: unknown): UnwrappedSchema {
  const { type, options = [], wrapped } = entry as Partial<UnwrappedSchema> & { wrapped?: unknown }
  return type === 'optional' && wrapped ? unwrapSchema(wrapped) : { type: type ?? 'string', options }
}
