// The input of one member, chosen by its declaration, with the server's messages about it.
import { PasswordInput, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, use } from 'react'
import { isDecimal, referenceOf } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Currency } from './currency.ts'
import { JsonMember } from './JsonMember.tsx'
import { localOf, timeOf } from './local-time.ts'
import { EntriesInput, ObjectInput } from './MembersInput.tsx'
import { helpOf, isWide, type MemberInputProps, typeOf } from './member-shape.ts'
import { sentence } from './messages.ts'
import { NumberText } from './NumberText.tsx'
import { PicturesInput } from './PicturesInput.tsx'
import { ReadMember } from './ReadMember.tsx'
import { ReferenceInput, ReferencesInput } from './ReferenceInput.tsx'
import { MetadataInput, NotesInput } from './TextEntries.tsx'
import { useTimeZone, zoneNote } from './time-zone.ts'
import { isAmount, isMoney } from './Value.tsx'
import { optionsOf, shownWord, wordMeant } from './vocabulary.ts'
import { WordInput } from './WordInput.tsx'

export function MemberInput(props: MemberInputProps) {
  const label = props.label ?? labelOf(props.name)
  // Text in full contrast; a disabled input would be grey.
  if (props.isReadOnly) return <ReadMember name={props.name} label={label} schema={props.schema} value={props.value} />
  return <EditedMember {...props} label={label} />
}

interface EditedProps extends MemberInputProps {
  readonly label: string
}

/** What all inputs of a member have in common. */
function commonOf(props: EditedProps) {
  const { name, label, schema, pointer, errors, isRequired = false } = props
  const isReference = (schema['x-refers-to'] ?? referenceOf(name)) !== undefined
  return {
    label,
    error: sentence(errors.get(pointer)),
    // The options of a reference make clear what it is.
    description: isReference ? undefined : helpOf(props),
    labelProps: { title: schema.description },
    required: isRequired,
    // The server says what is missing; the browser's own message would differ in style.
    'aria-required': isRequired,
  }
}

/** The currency of an amount, also at the end of its input. */
function useUnit({ name, schema }: EditedProps) {
  const currency = use(Currency)
  return (
    isMoney(name, schema) &&
    currency !== undefined && {
      currency,
      isFine: !isAmount(name, schema),
      rightSection: <Unit currency={currency} />,
      rightSectionWidth: 52,
    }
  )
}

function EditedMember(props: EditedProps) {
  const { name, label, schema, value, onChange } = props
  const reference = schema['x-refers-to'] ?? referenceOf(name)
  const common = commonOf(props)
  const unit = useUnit(props)
  const type = typeOf(schema)
  if (type === 'string' && reference !== undefined)
    return <ReferenceInput {...common} many={reference} value={value} onChange={onChange} />
  if (type === 'array' && reference !== undefined)
    return <ReferencesInput {...common} many={reference} value={value ?? []} onChange={onChange} />
  if (schema.enum !== undefined || type === 'boolean') return <ChoiceMember {...props} />
  if (type === 'number' || type === 'integer')
    return <NumberText {...common} value={value} onChange={onChange} {...unit} />
  if (type === 'array') return <ListMember {...props} />
  if (type === 'object' && schema.properties !== undefined) return <ObjectInput {...props} />
  if (type !== 'string') return <JsonMember label={label} value={value} onChange={onChange} error={common.error} />
  if (isDecimal(schema)) return <NumberText {...common} value={value} onChange={onChange} {...unit} isDecimal />
  return <TextMember {...props} />
}

/** One of few values, or yes or no. */
function ChoiceMember(props: EditedProps) {
  const { schema, value, onChange, isRequired } = props
  const common = commonOf(props)
  if (schema.enum !== undefined)
    return (
      <Select
        {...common}
        data={schema.enum.map((one) => ({ value: one, label: labelOf(one) }))}
        value={value ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
        clearable={!isRequired}
      />
    )
  return (
    <Select
      {...common}
      data={[
        { value: 'true', label: text.yes },
        { value: 'false', label: text.no },
      ]}
      value={value === undefined || value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
      placeholder={text.unset}
      clearable={!isRequired}
    />
  )
}

function ListMember(props: EditedProps) {
  const { name, label, schema, value, onChange, pointer, errors } = props
  const common = commonOf(props)
  if (name === 'images')
    return (
      <PicturesInput
        label={label}
        value={value ?? []}
        onChange={onChange}
        pointer={pointer}
        errors={errors}
        isReadOnly={false}
      />
    )
  if (name === 'notes') return <NotesInput {...props} />
  if (name === 'metadata') return <MetadataInput {...props} />
  const items = typeOf(schema.items ?? {})
  if (items === 'string') return <TagsMember {...props} />
  if (items === 'object') return <EntriesInput {...props} />
  return <JsonMember label={label} value={value} onChange={onChange} error={common.error} />
}

/** A list of texts; the usual words of an open vocabulary are offered and shown in words. A screen reader reads the chosen ones. */
function TagsMember(props: EditedProps) {
  const { schema, value, onChange } = props
  const words = schema.items ?? {}
  const options = optionsOf(words)
  const shown = ((value ?? []) as string[]).map((one) => shownWord(words, one))
  return (
    <TagsInput
      {...commonOf(props)}
      data={options.map(({ label }) => label)}
      // Without options, a screen reader would say that some are shown.
      openOnFocus={options.length > 0}
      value={shown}
      aria-description={shown.join(', ')}
      onChange={(texts) => onChange(texts.map((text) => wordMeant(words, text)))}
      clearable
      acceptValueOnBlur
    />
  )
}

function TextMember(props: EditedProps) {
  const { name, schema, value, onChange, isSecret } = props
  const common = commonOf(props)
  const put = (typed: string) => onChange(typed === '' ? undefined : typed)
  const typing = {
    value: value ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => put(event.currentTarget.value),
  }
  if (schema.format === 'date-time') return <TimeMember {...props} />
  if (schema.examples !== undefined && schema.examples.length > 1)
    return <WordInput {...common} description={undefined} schema={schema} value={value ?? ''} onChange={put} />
  if (isSecret) return <PasswordInput {...common} autoComplete="off" {...typing} />
  if (isWide({ name, schema })) return <Textarea {...common} maxRows={12} {...typing} dir="auto" />
  return (
    <TextInput
      {...common}
      type={schema.format === 'email' ? 'email' : 'text'}
      {...typing}
      autoComplete="off"
      dir="auto"
    />
  )
}

/** The input of a time, in the shop’s time zone as in lists. */
function TimeMember(props: EditedProps) {
  const { value, onChange } = props
  const timeZone = useTimeZone()
  const common = commonOf(props)
  return (
    <TextInput
      {...common}
      description={common.description ?? zoneNote(timeZone)}
      type="datetime-local"
      step={1}
      value={Number.isNaN(Date.parse(value)) ? '' : localOf(Date.parse(value), timeZone, 19)}
      onChange={(event) => onChange(timeOf(event.currentTarget.value, timeZone))}
    />
  )
}

const Unit = ({ currency }: { currency: string }) => (
  <Text size="xs" c="dimmed" aria-hidden>
    {currency}
  </Text>
)
