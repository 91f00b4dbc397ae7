import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { buildControlProps, buildDescribedBy, Field, type FieldProps, getFieldId } from './field.tsx'
import { Icon } from './icon.tsx'
import { useHydrated } from './use-hydrated.ts'

interface ListOption {
  value: string
  label: string
  /** Offered whatever is typed, below what is found: "Another school". */
  isAlwaysOffered?: boolean
}

interface ListFieldProps extends FieldProps {
  options: readonly ListOption[]
  defaultValue?: string | undefined
  words: {
    /** The empty entry of the list without a script. */
    none: string
    /** How to use the field, for screen readers. */
    help: string
    placeholder: string
    /** Names the list of what is found. */
    found: string
    count: (found: number) => string
    /** Said below a list that is cut off. */
    more: (shown: number, found: number) => string
    nothing: string
    unknown: (typed: string) => string
  }
}

/** More is not read; another letter brings the rest. */
const MOST_SHOWN = 100

/**
 * A choice among hundreds: one types any words of it, in any order, and chooses from what is found. The form's control is a plain list,
 * which stays in the page: without a script it is what people use.
 */
export function ListField({ options, defaultValue, words, ...field }: ListFieldProps) {
  const isReady = useHydrated()
  const id = getFieldId(field)
  const list = useRef<HTMLSelectElement>(null)
  const control = buildControlProps(field)
  const items = useMemo(
    () =>
      options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      )),
    [options],
  )
  return (
    <Field field={field}>
      <span className="select" hidden={isReady}>
        <select
          {...control}
          {...(isReady && { id: `${id}-list`, required: undefined, 'aria-describedby': undefined })}
          ref={list}
          className="input"
          defaultValue={defaultValue}
          autoComplete="off"
        >
          <option value="">{words.none}</option>
          {items}
        </select>
        <Icon name="chevron-down" />
      </span>
      {isReady && <ListSearch field={field} options={options} words={words} list={list} />}
    </Field>
  )
}

interface ListSearchProps extends Pick<ListFieldProps, 'options' | 'words'> {
  field: FieldProps
  list: React.RefObject<HTMLSelectElement | null>
}

/** The combobox of the ARIA Authoring Practices, with a list that is filtered as one types. */
function ListSearch({ field, options, words, list }: ListSearchProps) {
  const { name: _name, ...control } = buildControlProps(field)
  const { id } = control
  const own = useId()
  const entries = useMemo(() => options.map((option) => ({ ...option, text: normaliseText(option.label) })), [options])
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isLeft, setLeft] = useState(true)
  const [active, setActive] = useState(-1)
  const shownList = useRef<HTMLDivElement>(null)
  // Uncontrolled: a form that listens for input events re-renders before React has seen the key, which would erase it.
  const input = useRef<HTMLInputElement>(null)
  const write = (text: string) => {
    setTyped(text)
    if (input.current) input.current.value = text
  }
  const showChosen = useEffectEvent(() => {
    const value = list.current?.value ?? ''
    setChosen(value)
    // What is being typed stays as it is.
    if (document.activeElement !== input.current) write(options.find((option) => option.value === value)?.label ?? '')
  })

  // Also for what was chosen before the script ran, what is restored from this device, and a form that is cleared.
  useLayoutEffect(() => {
    const element = list.current
    const readChosen = () => showChosen()
    const readLater = () => void setTimeout(readChosen)
    readChosen()
    // If the plain list had focus when the script replaced it, the field gets it.
    if (element && document.activeElement === element) input.current?.focus()
    element?.addEventListener('input', readChosen)
    element?.form?.addEventListener('reset', readLater)
    return () => {
      element?.removeEventListener('input', readChosen)
      element?.form?.removeEventListener('reset', readLater)
    }
  }, [list])
  useEffect(() => {
    shownList.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const wanted = normaliseText(typed)
  const isTypedChosen = chosen !== '' && entries.find(({ value }) => value === chosen)?.text === wanted
  const found = useMemo(() => findEntries(entries, isTypedChosen ? '' : wanted), [entries, wanted, isTypedChosen])
  const shown = isOpen ? found.slice(0, MOST_SHOWN) : []
  const isUnknown = wanted !== '' && chosen === '' && isLeft

  const choose = (value: string) => chooseInList(list.current, value)
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const take = (entry: ListOption | undefined) => {
    if (!entry) return
    choose(entry.value)
    write(entry.label)
    close()
  }
  const type = (text: string) => {
    setTyped(text)
    setOpen(text !== '')
    setActive(-1)
    const same = entries.filter((entry) => entry.text === normaliseText(text))
    choose(same.length === 1 ? (same[0]?.value ?? '') : '')
  }
  const handleKey = (event: KeyboardEvent) => {
    const last = Math.min(found.length, MOST_SHOWN) - 1
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1)
      else setActive(active <= 0 ? last : active - 1)
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (active >= 0) take(shown[active])
      else if (shown.length === 1) take(shown[0])
      else close()
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    }
  }
  return (
    <div className="list-field">
      <input
        {...control}
        ref={input}
        className="input"
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${own}list` : undefined}
        aria-activedescendant={active >= 0 ? `${own}${active}` : undefined}
        aria-describedby={buildDescribedBy(id, field, `${own}help`, isUnknown && `${own}unknown`)}
        placeholder={words.placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onClick={() => setOpen(true)}
        onFocus={(event) => {
          setLeft(false)
          event.currentTarget.select()
        }}
        onBlur={() => {
          setLeft(true)
          close()
        }}
        onKeyDown={handleKey}
      />
      <Icon name="search" />
      <span className="visually-hidden" id={`${own}help`}>
        {words.help}
      </span>
      {isOpen && (
        // A click in it leaves the focus in the field, where keys are handled. No element of HTML is a list that is filtered by a script.
        // oxlint-disable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role
        <div className="list-field-found" onMouseDown={(event) => event.preventDefault()}>
          <div ref={shownList} id={`${own}list`} role="listbox" aria-label={words.found}>
            {shown.map((entry, index) => (
              <div
                key={entry.value}
                id={`${own}${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={entry.value === chosen}
                data-active={index === active ? true : undefined}
                onClick={() => take(entry)}
              >
                {entry.label}
              </div>
            ))}
          </div>
          {found.length === 0 && <p>{words.nothing}</p>}
          {found.length > shown.length && <p>{words.more(shown.length, found.length)}</p>}
        </div>
        // oxlint-enable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role
      )}
      <output className="visually-hidden">{isOpen ? (found.length === 0 ? words.nothing : words.count(found.length)) : ''}</output>
      {isUnknown && (
        <p className="field-hint" id={`${own}unknown`}>
          {words.unknown(typed)}
        </p>
      )}
    </div>
  )
}

/** As if it had been chosen in the plain list. */
function chooseInList(list: HTMLSelectElement | null, value: string): void {
  if (!list || list.value === value) return
  list.value = value
  list.dispatchEvent(new Event('input', { bubbles: true }))
}

type Entry = ListOption & { text: string }

/** The options with all the words in them, those that begin with what was typed first. */
function findEntries(entries: readonly Entry[], wanted: string): readonly Entry[] {
  if (wanted === '') return entries
  const parts = wanted.split(' ')
  const matches = entries.filter(({ text, isAlwaysOffered }) => !isAlwaysOffered && parts.every((part) => text.includes(part)))
  const rank = ({ text }: Entry) => (text.startsWith(wanted) ? 0 : ` ${text}`.includes(` ${wanted}`) ? 1 : 2)
  return [...matches.toSorted((a, b) => rank(a) - rank(b)), ...entries.filter(({ isAlwaysOffered }) => isAlwaysOffered)]
}
