// The input of one member, chosen by its declaration, with the server's messages about it.
import { Autocomplete, Fieldset, PasswordInput, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, use } from 'react'
import { isDecimal, referenceOf } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Currency } from './currency.ts'
import { JsonMember } from './JsonMember.tsx'
import { localOf, timeOf } from './local-time.ts'
import { EntriesInput, Members } from './MembersInput.tsx'
import { helpOf, type InputProps, isWide, typeOf } from './member-shape.ts'
import { sentence } from './messages.ts'
import { NumberText } from './NumberText.tsx'
import { PicturesInput } from './PicturesInput.tsx'
import { ReadMember } from './ReadMember.tsx'
import { ReferenceInput, ReferencesInput } from './ReferenceInput.tsx'
import { MetadataInput, NotesInput } from './TextEntries.tsx'
import { isMoney } from './Value.tsx'

export interface MemberInputProps extends InputProps {
  readonly isRequired?: boolean
  readonly isSecret?: boolean
  readonly isReadOnly?: boolean
  readonly label?: string
}

export function MemberInput(props: MemberInputProps) {
  const label = props.label ?? labelOf(props.name)
  // Text in full contrast; a disabled input would be grey.
  if (props.isReadOnly) return <ReadMember name={props.name} label={label} schema={props.schema} value={props.value} />
  return <EditedMember {...props} label={label} />
}

function EditedMember(props: MemberInputProps & { label: string }) {
  const { name, label, schema, value, onChange, pointer, errors, isRequired, isSecret } = props
  const reference = schema['x-refers-to'] ?? referenceOf(name)
  const common = {
    label,
    error: sentence(errors.get(pointer)),
    // The options of a reference make clear what it is.
    description: reference === undefined ? helpOf(props) : undefined,
    labelProps: { title: schema.description },
    required: isRequired ?? false,
    // The server says what is missing; the browser's own message would differ in style.
    'aria-required': isRequired ?? false,
  }
  const type = typeOf(schema)
  const put = (typed: string) => onChange(typed === '' ? undefined : typed)
  const typing = {
    value: value ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => put(event.currentTarget.value),
  }
  const currency = use(Currency)
  const unit = isMoney(name, schema) &&
    currency !== undefined && { rightSection: <Unit currency={currency} />, rightSectionWidth: 52 }

  if (type === 'string' && reference !== undefined)
    return <ReferenceInput {...common} many={reference} value={value} onChange={onChange} />
  if (type === 'array' && reference !== undefined)
    return <ReferencesInput {...common} many={reference} value={value ?? []} onChange={onChange} />
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
  if (type === 'boolean')
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
  if (type === 'number' || type === 'integer')
    return <NumberText {...common} value={value} onChange={onChange} {...unit} />
  if (type === 'array' && name === 'images')
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
  if (type === 'array' && name === 'notes') return <NotesInput {...props} />
  if (type === 'array' && name === 'metadata') return <MetadataInput {...props} />
  if (type === 'array' && typeOf(schema.items ?? {}) === 'string')
    return <TagsInput {...common} value={value ?? []} onChange={onChange} clearable acceptValueOnBlur />
  if (type === 'array' && typeOf(schema.items ?? {}) === 'object') return <EntriesInput {...props} />
  if (type === 'object' && schema.properties !== undefined)
    return (
      <Fieldset legend={label} variant="filled">
        <Members
          schema={schema}
          value={value ?? {}}
          onChange={onChange}
          pointer={pointer}
          errors={errors}
          isReadOnly={false}
        />
      </Fieldset>
    )
  if (type !== 'string') return <JsonMember label={label} value={value} onChange={onChange} error={common.error} />
  if (schema.format === 'date-time')
    return (
      <TextInput
        {...common}
        type="datetime-local"
        step={1}
        value={Number.isNaN(Date.parse(value)) ? '' : localOf(Date.parse(value), 19)}
        onChange={(event) => onChange(timeOf(event.currentTarget.value))}
      />
    )
  if (isDecimal(schema)) return <NumberText {...common} value={value} onChange={onChange} isDecimal {...unit} />
  if (schema.examples !== undefined && schema.examples.length > 1)
    return (
      <Autocomplete
        {...common}
        description={undefined}
        data={[...schema.examples]}
        value={value ?? ''}
        onChange={put}
      />
    )
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

/** The currency of an amount, at the end of its input. */
const Unit = ({ currency }: { currency: string }) => (
  <Text size="xs" c="dimmed" aria-hidden>
    {currency}
  </Text>
)
