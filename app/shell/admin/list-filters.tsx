import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { SearchChanges } from '#app/lib/list-search.ts'
import { RecordChoice } from './record-choice.tsx'
import type { RecordSource } from './record-sources.ts'
import type { List, ListSearch } from './use-list.tsx'

/** Names of the filters that are texts. */
type TextFilter<Search> = { [Name in keyof Search]-?: string extends NonNullable<Search[Name]> ? Name : never }[keyof Search] & string

interface ListFindProps<Search extends ListSearch> {
  list: List<Search>
  name: TextFilter<Search>
  label: string
  button: string
  placeholder?: string
  /** What else a search changes. */
  also?: SearchChanges<Search>
}

/** Searches a list by what people type. */
export function ListFind<Search extends ListSearch>({ list, name, label, button, placeholder, also }: ListFindProps<Search>) {
  const current = (list.search[name] as string | undefined) ?? ''
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get(name)
          list.change({ [name]: typeof typed === 'string' ? typed.trim() : '', ...also } as SearchChanges<Search>)
        }}
      >
        <SearchField
          key={current}
          name={name}
          label={label}
          labelClass="search-field-label"
          button={button}
          defaultValue={current}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      </form>
    </search>
  )
}

const ANY = 'any'

interface ListChoiceProps<Search extends ListSearch, Name extends keyof Search & string> {
  list: List<Search>
  name: Name
  label: string
  /** "Any status" */
  any: string
  options: readonly { value: NonNullable<Search[Name]> & string; label: string }[]
  /** What else a choice changes. */
  also?: SearchChanges<Search>
}

/** Filters a list by one of several values, or by none. */
export function ListChoice<Search extends ListSearch, Name extends keyof Search & string>(props: ListChoiceProps<Search, Name>) {
  const { list, name, label, any, options, also } = props
  return (
    <SelectInput<string>
      name={name}
      label={label}
      value={(list.search[name] as string | undefined) ?? ANY}
      onChange={(value) => list.change({ [name]: value === ANY ? undefined : value, ...also } as SearchChanges<Search>)}
      options={[{ value: ANY, label: any }, ...options]}
    />
  )
}

interface ListRecordChoiceProps<Search extends ListSearch> {
  list: List<Search>
  /** The filter that names the record's id. */
  name: TextFilter<Search>
  label: string
  /** "Any project" */
  any: string
  source: RecordSource
  /** What else a choice changes. */
  also?: SearchChanges<Search>
}

/** Filters a list by a record of the site that one finds by typing, or by none. */
export function ListRecordChoice<Search extends ListSearch>({ list, name, label, any, source, also }: ListRecordChoiceProps<Search>) {
  return (
    <RecordChoice
      name={name}
      label={label}
      source={source}
      value={(list.search[name] as string | undefined) ?? null}
      none={any}
      onChange={(id) => list.change({ [name]: id ?? undefined, ...also } as SearchChanges<Search>)}
    />
  )
}
