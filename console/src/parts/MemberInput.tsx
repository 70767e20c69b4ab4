// The input of one member, made from its declaration: what it takes decides how it is typed, and each of the server's messages stands at its own.
import {
  ActionIcon,
  Autocomplete,
  Button,
  Fieldset,
  Group,
  JsonInput,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { use, useState } from 'react'
import { referenceOf, type Schema } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Currency } from './currency.ts'
import { localOf, timeOf } from './local-time.ts'
import { sentence } from './messages.ts'
import { PicturesInput } from './PicturesInput.tsx'
import { ReferenceInput, ReferencesInput } from './ReferenceInput.tsx'
import { isMoney } from './Value.tsx'

export interface MemberInputProps {
  readonly name: string
  readonly schema: Schema
  readonly value: any
  readonly onChange: (value: any) => void
  /** JSON pointer of the member in the body. */
  readonly pointer: string
  /** What the server found wrong, by pointer. */
  readonly errors: ReadonlyMap<string, string>
  readonly isRequired?: boolean
  readonly isSecret?: boolean
  readonly isReadOnly?: boolean
  readonly label?: string
}

/** The first type of a schema that is not null. */
const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((one) => one !== 'null')

/** Whether a member wants the whole width of a form. */
export function isWide({ name, schema }: { name: string; schema: Schema }): boolean {
  const type = typeOf(schema)
  if (type === 'object' || type === undefined) return true
  if (type === 'array') return typeOf(schema.items ?? {}) !== 'string' || name === 'images'
  return type === 'string' && (schema.maxLength ?? 0) > 500 && (schema.maxLength ?? 0) !== 2048
}

export function MemberInput(props: MemberInputProps) {
  const { name, schema, value, onChange, pointer, errors, isRequired, isSecret, isReadOnly } = props
  const label = props.label ?? labelOf(name)
  const reference = schema['x-refers-to'] ?? referenceOf(name)
  const common = {
    label,
    error: sentence(errors.get(pointer)),
    // What a reference is, is said by what it offers.
    description: reference === undefined ? shortened(schema.description) : undefined,
    disabled: isReadOnly ?? false,
    required: isRequired ?? false,
    // The server says what is missing; the browser's own bubble would be another voice.
    'aria-required': isRequired ?? false,
  }
  const type = typeOf(schema)
  const unset = (text: string) => onChange(text === '' ? undefined : text)
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
    return (
      <NumberInput
        {...common}
        value={value ?? ''}
        onChange={(typed) => onChange(typed === '' ? undefined : typed)}
        allowDecimal={type === 'number'}
        decimalScale={6}
        min={schema.minimum}
        max={schema.maximum}
        clampBehavior="none"
        hideControls
        {...unit}
      />
    )
  if (type === 'array' && name === 'images')
    return (
      <PicturesInput
        label={label}
        value={value ?? []}
        onChange={onChange}
        pointer={pointer}
        errors={errors}
        isReadOnly={isReadOnly ?? false}
      />
    )
  if (type === 'array' && typeOf(schema.items ?? {}) === 'string')
    return <TagsInput {...common} value={value ?? []} onChange={onChange} clearable acceptValueOnBlur />
  if (type === 'array' && typeOf(schema.items ?? {}) === 'object') return <Entries {...props} label={label} />
  if (type === 'object' && schema.properties !== undefined)
    return (
      <Fieldset legend={label} variant="filled">
        <Members
          schema={schema}
          value={value ?? {}}
          onChange={onChange}
          pointer={pointer}
          errors={errors}
          isReadOnly={isReadOnly ?? false}
        />
      </Fieldset>
    )
  if (type !== 'string') return <Json {...props} label={label} error={common.error} />
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
  if (schema.format === 'decimal')
    return (
      <TextInput
        {...common}
        inputMode="decimal"
        value={value ?? ''}
        onChange={(event) => unset(event.currentTarget.value)}
        className="numbers"
        {...unit}
      />
    )
  if (schema.examples !== undefined && schema.examples.length > 1)
    return (
      <Autocomplete
        {...common}
        description={undefined}
        data={[...schema.examples]}
        value={value ?? ''}
        onChange={unset}
      />
    )
  if (isSecret)
    return (
      <PasswordInput
        {...common}
        autoComplete="off"
        value={value ?? ''}
        onChange={(event) => unset(event.currentTarget.value)}
      />
    )
  if (isWide({ name, schema }))
    return (
      <Textarea
        {...common}
        maxRows={12}
        value={value ?? ''}
        onChange={(event) => unset(event.currentTarget.value)}
        dir="auto"
      />
    )
  return (
    <TextInput
      {...common}
      type={schema.format === 'email' ? 'email' : 'text'}
      value={value ?? ''}
      onChange={(event) => unset(event.currentTarget.value)}
      autoComplete="off"
      dir="auto"
    />
  )
}

/** What an amount is counted in, at the end of its input. */
const Unit = ({ currency }: { currency: string }) => (
  <Text size="xs" c="dimmed" aria-hidden>
    {currency}
  </Text>
)

/** The members of an object, in two columns where there is room. */
export function Members({
  schema,
  value,
  onChange,
  pointer,
  errors,
  isReadOnly,
}: Pick<MemberInputProps, 'schema' | 'value' | 'onChange' | 'pointer' | 'errors'> & { isReadOnly: boolean }) {
  const members = Object.entries(schema.properties ?? {})
  // A column may be called as a member that means something of its own.
  const isTable = schema.additionalProperties === false
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
      {members.map(([name, inner]) => (
        <div key={name} style={isWide({ name, schema: inner }) ? { gridColumn: '1 / -1' } : undefined}>
          <MemberInput
            name={isTable ? `column ${name}` : name}
            label={labelOf(name)}
            schema={inner}
            value={value?.[name]}
            onChange={(next) => onChange(withMember(value, name, next))}
            pointer={`${pointer}/${name}`}
            errors={errors}
            isRequired={schema.required?.includes(name) ?? false}
            isReadOnly={isReadOnly}
          />
        </div>
      ))}
    </SimpleGrid>
  )
}

/** An object with one member changed; undefined takes it away, and an object without members is unset itself. */
export function withMember(
  value: Record<string, any> | undefined,
  name: string,
  next: unknown,
): Record<string, any> | undefined {
  const { [name]: _, ...others } = value ?? {}
  const made = next === undefined || next === null ? others : { ...others, [name]: next }
  return Object.keys(made).length === 0 ? undefined : made
}

/** A list of objects, one card an entry. */
function Entries({
  name,
  schema,
  value,
  onChange,
  pointer,
  errors,
  isReadOnly = false,
  label,
}: MemberInputProps & { label: string }) {
  const entries: readonly any[] = value ?? []
  const items = schema.items as Schema
  const isPlain = Object.keys(items.properties ?? {}).length <= 2
  const put = (n: number, next: unknown) => onChange(entries.map((entry, at) => (at === n ? (next ?? {}) : entry)))
  return (
    <Fieldset legend={label} variant="filled">
      <Stack gap="sm">
        {entries.map((entry, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
          <Group key={n} align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              {isPlain ? (
                <Members
                  schema={items}
                  value={entry}
                  onChange={(next) => put(n, next)}
                  pointer={`${pointer}/${n}`}
                  errors={errors}
                  isReadOnly={isReadOnly}
                />
              ) : (
                <Fieldset legend={text.entry(n + 1)}>
                  <Members
                    schema={items}
                    value={entry}
                    onChange={(next) => put(n, next)}
                    pointer={`${pointer}/${n}`}
                    errors={errors}
                    isReadOnly={isReadOnly}
                  />
                </Fieldset>
              )}
            </div>
            {!isReadOnly && (
              <Tooltip label={text.remove}>
                <ActionIcon
                  mt={24}
                  aria-label={`${text.remove}: ${labelOf(name)} ${n + 1}`}
                  onClick={() => onChange(entries.filter((_, at) => at !== n))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        ))}
        {!isReadOnly && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...entries, {}])}
            >
              {text.add}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  )
}

/** Any JSON value; what is typed stays as it was typed until it is JSON. */
function Json({
  value,
  onChange,
  isReadOnly,
  label,
  error,
}: MemberInputProps & { label: string; error: string | undefined }) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && typed.trim() !== '' && !isJson(typed)
  return (
    <JsonInput
      label={label}
      error={error ?? (isWrong ? text.notJson : undefined)}
      disabled={isReadOnly ?? false}
      autosize
      minRows={2}
      maxRows={16}
      ff="monospace"
      value={typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
      onChange={(next) => {
        setTyped(next)
        if (next.trim() === '') onChange(undefined)
        else if (isJson(next)) onChange(JSON.parse(next))
      }}
    />
  )
}

function isJson(typed: string): boolean {
  try {
    JSON.parse(typed)
    return true
  } catch {
    return false
  }
}

/** Descriptions of open vocabularies list their usual words, which the input offers by itself. */
const shortened = (description: string | undefined): string | undefined =>
  description?.startsWith('Usually ') ? undefined : description
