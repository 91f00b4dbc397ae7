import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { FIELD_KINDS, FieldWords, Manifest, SettingValue } from './marketplace.schema.ts'

/** A setting as shown in a form, localised. */
export interface SettingField {
  name: string
  kind: (typeof FIELD_KINDS)[number]
  label: string
  hint: string | null
  secret: boolean
  required: boolean
  /** Default value. */
  preset: SettingValue | null
  choices: { value: string; label: string }[]
}

/** Derives the form from the settings' schema. */
export function buildSettingFields({ settings }: Pick<Manifest, 'settings'>, language: Language): SettingField[] {
  return Object.entries(settings.entries).flatMap(([name, entry]) => {
    const { label, hint, secret = false, made = false, choices = {} } = v.getMetadata(entry) as unknown as FieldWords
    if (made) return []
    const inner = unwrapSchema(entry)
    return {
      name,
      kind: inner.type === 'picklist' ? 'choice' : inner.type === 'boolean' ? 'yes-no' : inner.type === 'number' ? 'number' : 'text',
      label: getTranslation(label, language),
      hint: hint ? getTranslation(hint, language) : null,
      secret,
      required: entry.type !== 'optional' && inner.type !== 'boolean',
      preset: secret ? null : ((entry as { default?: SettingValue }).default ?? null),
      choices:
        inner.type === 'picklist'
          ? inner.options.map((value) => ({ value, label: getTranslation(choices[value], language) || value }))
          : [],
    }
  })
}

/** Names of secret settings. */
export const listSecretNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => listFlaggedNames(manifest, 'secret')

/** Names of settings that secrets are sent to. */
export const listDestinationNames = (manifest: Pick<Manifest, 'settings'>): Set<string> => listFlaggedNames(manifest, 'destination')

/** Names of settings that the server connects to, with the kind of address. */
export const listReachedNames = ({ settings }: Pick<Manifest, 'settings'>): Map<string, 'web' | 'host'> =>
  new Map(
    Object.entries(settings.entries).flatMap(([name, entry]) => {
      const { reaches } = v.getMetadata(entry) as Partial<FieldWords>
      return reaches ? [[name, reaches]] : []
    }),
  )

/** Names of generated settings. */
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

/** Removes `optional` wrappers from a schema entry. */
function unwrapSchema(entry: unknown): UnwrappedSchema {
  const { type, options = [], wrapped } = entry as Partial<UnwrappedSchema> & { wrapped?: unknown }
  return type === 'optional' && wrapped ? unwrapSchema(wrapped) : { type: type ?? 'string', options }
}
