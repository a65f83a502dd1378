// The options of a fit: a few in front, the rest folded away, each with the help line that the library has for it.

import { describeRange } from '@featureboost/core/internal'
import { FIRST_OPTIONS, type FormOption, moreOptions, specOf } from '../run/choice.ts'
import { fit } from './actions.ts'
import { groups, hasGroups, hasRows, isStopped, running, values } from './state.ts'

/** Defaults of so many letters stand in the field itself; longer ones would be cut there. */
const SHORT = 16

export function FitForm() {
  return (
    <form
      class="fit-form"
      onSubmit={event => {
        event.preventDefault()
        void fit()
      }}
    >
      <div class="fields">
        {FIRST_OPTIONS.map(name => (
          <OptionField key={name} name={name} />
        ))}
        <GroupsField />
      </div>
      <details>
        <summary>More options</summary>
        <div class="fields">
          {moreOptions({ groups: groups.value, values: values.value }).map(name => (
            <OptionField key={name} name={name} />
          ))}
        </div>
      </details>
      <button
        type="submit"
        class="primary"
        disabled={isStopped.value || running.value !== undefined || !hasRows.value}
      >
        Fit a correction
      </button>
    </form>
  )
}

function GroupsField() {
  const chosen = groups.value
  const value = chosen.kind === 'columns' ? 'columns' : String(chosen.depth)
  return (
    <label class="field">
      <span class="field-name">groups</span>
      <select
        value={value}
        onChange={({ currentTarget: { value: next } }) => {
          groups.value = next === 'columns' ? { kind: 'columns' } : { kind: 'trees', depth: Number(next) }
        }}
      >
        <option value="1">of one feature (trees of depth 1)</option>
        <option value="2">of two features together (depth 2)</option>
        <option value="3">of three features together (depth 3)</option>
        <option value="4">of four features together (depth 4)</option>
        <option value="columns" disabled={!hasGroups.value}>
          only the columns marked as groups
        </option>
      </select>
      <span class="hint">
        Who is to be treated right: groups that are searched, or those that you declare.
      </span>
    </label>
  )
}

function OptionField({ name }: { name: FormOption }) {
  const spec = specOf(name)
  const words = 'defaultWords' in spec ? spec.defaultWords : 'default' in spec ? String(spec.default) : ''
  const isShort = words !== '' && words.length <= SHORT
  const unset = isShort ? `default: ${words}` : 'default'
  const set = (text: string) => {
    const { [name]: _, ...rest } = values.value
    const value = spec.type === 'choice' ? text : Number(text)
    values.value = text === '' ? rest : { ...rest, [name]: value }
  }
  const value = values.value[name]
  const id = `option-${name}`
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {name}
      </label>
      {spec.type === 'choice' ? (
        <select
          id={id}
          aria-describedby={`${id}-help`}
          value={value ?? ''}
          onChange={event => set(event.currentTarget.value)}
        >
          <option value="">{unset}</option>
          {spec.choices.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          aria-describedby={`${id}-help`}
          type="number"
          step={spec.type === 'integer' ? 1 : 'any'}
          {...('min' in spec && { min: spec.min, max: spec.max })}
          placeholder={unset}
          title={describeRange(spec)}
          value={value ?? ''}
          onChange={event => set(event.currentTarget.value)}
        />
      )}
      <span class="hint" id={`${id}-help`}>
        {spec.help}
        {words !== '' && !isShort && ` Default: ${words}.`}
      </span>
    </div>
  )
}
