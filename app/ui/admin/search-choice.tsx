import type { ReactNode } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Button } from 'react-aria-components/Button'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { type Key, ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { TextField } from 'react-aria-components/TextField'
import { buildDescribedBy, type FieldProps, getFieldId, HintAndError } from '../field.tsx'
import { Icon } from '../icon.tsx'

/** Something that can be chosen. */
export interface Choice {
  id: string
  name: string
  /** What tells it from others with the same name, such as its project. */
  note?: string | undefined
}

/** The search behind a choice: what was typed, and what was found for it. */
export interface ChoiceSearch {
  words: string
  onWordsChange: (words: string) => void
  isOpen: boolean
  onOpenChange: (open: boolean) => void
  choices: readonly Choice[]
  /** Below the list: that nothing matches, that there are more, or that the search failed. */
  message: string | undefined
  /** Read out when results arrive: "3 found". */
  announcement: string
  /** True until the results belong to the typed words. Nothing can be chosen meanwhile. */
  isSearching: boolean
}

interface SearchProps extends Omit<FieldProps, 'label' | 'heading' | 'labelSize'> {
  label: string
  /** Label of the search input: "Type to find". */
  findLabel: string
  search: ChoiceSearch
}

interface SearchChoiceProps extends SearchProps {
  /** Id of the chosen one, or null. */
  value: string | null
  /** What the button shows: the chosen one's name, or what it means that none is chosen. */
  shown: string
  /** The choice of none: "Any department". Without it, one choice can only be replaced by another. */
  none?: string | undefined
  onChange: (chosen: Choice | null) => void
}

const NONE = ''

/** One of many, found by typing. A button shows the choice, and opens an input with a list. */
export function SearchChoice({ value, shown, none, onChange, ...props }: SearchChoiceProps) {
  const { search } = props
  const chosen = value ?? NONE
  return (
    <ChoiceButton
      {...props}
      shown={shown}
      chosen={[chosen]}
      none={none}
      onToggle={(id) => {
        search.onOpenChange(false)
        if (id === chosen) return
        onChange(search.choices.find((choice) => choice.id === id) ?? null)
      }}
    />
  )
}

interface SearchChoicesProps extends SearchProps {
  /** The chosen ones, in the order in which they were chosen. */
  chosen: readonly Choice[]
  /** What the button shows: "2 chosen". */
  shown: string
  removeLabel: (name: string) => string
  onChange: (chosen: readonly Choice[]) => void
}

/** Several of many, found by typing. The chosen ones are listed below the button, where each can be removed. */
export function SearchChoices({ chosen, shown, removeLabel, onChange, ...props }: SearchChoicesProps) {
  const { choices } = props.search
  const removeChoice = (id: string) => onChange(chosen.filter((one) => one.id !== id))
  return (
    <ChoiceButton
      {...props}
      shown={shown}
      chosen={chosen.map(({ id }) => id)}
      isMultiple
      onToggle={(id) => {
        if (chosen.some((one) => one.id === id)) return removeChoice(id)
        const added = choices.find((choice) => choice.id === id)
        if (added) onChange([...chosen, added])
      }}
      after={
        chosen.length > 0 && (
          <ul className="chosen-list">
            {chosen.map(({ id, name }) => (
              <li key={id}>
                {name}
                <button type="button" className="icon-button" aria-label={removeLabel(name)} onClick={() => removeChoice(id)}>
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )
      }
    />
  )
}

interface ChoiceButtonProps extends SearchProps {
  shown: string
  chosen: readonly string[]
  none?: string | undefined
  isMultiple?: boolean
  /** Chooses what was not chosen, or the reverse. */
  onToggle: (id: string) => void
  after?: ReactNode
}

function ChoiceButton({ label, findLabel, search, shown, chosen, none, isMultiple, onToggle, after, ...rest }: ChoiceButtonProps) {
  const field = { ...rest, label }
  const id = getFieldId(field)
  return (
    <div className="field" data-invalid={field.error ? true : undefined}>
      <label className="field-label" id={`${id}-label`} htmlFor={id}>
        {label}
        {field.optional && <span className="field-optional"> {field.optional}</span>}
      </label>
      <HintAndError id={id} hint={field.hint} error={field.error} />
      <DialogTrigger isOpen={search.isOpen} onOpenChange={search.onOpenChange}>
        <Button
          id={id}
          className="input search-choice"
          aria-labelledby={`${id}-label ${id}-value`}
          aria-describedby={buildDescribedBy(id, field)}
          isDisabled={field.disabled ?? false}
        >
          <span id={`${id}-value`}>{shown}</span>
          <Icon name="chevron-down" />
        </Button>
        <Popover className="popover search-choice-popover" placement="bottom start" offset={4} aria-label={label}>
          <ChoiceList {...{ label, findLabel, search, chosen, none, isMultiple, onToggle }} />
        </Popover>
      </DialogTrigger>
      {after}
    </div>
  )
}

/** ARIA role of the input. `Autocomplete` sets which list it controls. */
const COMBOBOX = { role: 'combobox', 'aria-expanded': true } as const

type ChoiceListProps = Pick<ChoiceButtonProps, 'label' | 'findLabel' | 'search' | 'chosen' | 'none' | 'isMultiple' | 'onToggle'>

function ChoiceList({ label, findLabel, search, chosen, none, isMultiple, onToggle }: ChoiceListProps) {
  const { words, onWordsChange, choices, message, announcement, isSearching } = search
  const items = isSearching ? [] : choices
  const offersNone = none !== undefined && words.trim() === ''
  const toggle = (selected: ReadonlySet<Key>) => {
    const added = [...selected].find((key) => !chosen.includes(String(key)))
    const removed = chosen.find((key) => !selected.has(key))
    const toggled = added ?? removed
    if (toggled !== undefined) onToggle(String(toggled))
  }
  return (
    <Autocomplete inputValue={words} onInputChange={onWordsChange}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the list is opened to find something */}
      <TextField className="field" aria-label={findLabel} type="search" autoFocus>
        <Input className="input" placeholder={findLabel} {...COMBOBOX} />
      </TextField>
      <ListBox
        className="search-choice-list"
        aria-label={label}
        escapeKeyBehavior="none"
        selectionMode={isMultiple ? 'multiple' : 'single'}
        selectedKeys={chosen}
        onSelectionChange={(selected) => selected !== 'all' && toggle(selected)}
      >
        {offersNone && <ChoiceItem choice={{ id: NONE, name: none }} />}
        {items.map((choice) => (
          <ChoiceItem key={choice.id} choice={choice} />
        ))}
      </ListBox>
      {message && <p className="search-choice-message">{message}</p>}
      <output className="visually-hidden">{isSearching ? '' : announcement}</output>
    </Autocomplete>
  )
}

function ChoiceItem({ choice: { id, name, note } }: { choice: Choice }) {
  return (
    <ListBoxItem className="menu-item menu-item-check" id={id} textValue={name}>
      <Icon name="check" />
      <span>
        {name}
        {note && <small>{note}</small>}
      </span>
    </ListBoxItem>
  )
}
