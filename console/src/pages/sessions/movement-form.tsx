// What the form of a cash movement has in place of the generated parts: its types, and what the drawer should hold.
import { Alert, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCompany, useScope } from '../../api/company.ts'
import { minus, sumOf } from '../../parts/decimal.ts'
import type { Values } from '../../parts/draft.ts'
import { useFormat } from '../../parts/format.ts'
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { sentence } from '../../parts/messages.ts'
import { ReadMember } from '../../parts/ReadMember.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import { reportQuery } from './queries.ts'

/** All types at a glance; none is so usual that it could be chosen before. */
function TypeInput({ name, schema, value, onChange, pointer, errors, isRequired, isReadOnly }: MemberInputProps) {
  if (isReadOnly) return <ReadMember {...{ name, schema, value }} />
  return (
    <Radio.Group
      label={labelOf(name)}
      error={sentence(errors.get(pointer))}
      required={isRequired ?? false}
      value={value ?? null}
      onChange={onChange}
    >
      <Stack gap={8} mt={6} mb={4}>
        {schema.enum?.map((type) => (
          <Radio key={type} value={type} label={labelOf(type)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

export const movementInputs = { type: TypeInput }

/** Says if more cash is taken out than the drawer should hold; the movement may be right nevertheless. */
export function MovementNote({ values: { sessionId, type, amount, currency } }: { readonly values: Values }) {
  const format = useFormat()
  const { currency: own } = useCompany()
  const isOut = (type === 'pay-out' || type === 'drop') && typeof amount === 'string'
  const isOfSession = typeof sessionId === 'string' && sessionId !== ''
  const { data } = useQuery({ ...reportQuery(useScope(), String(sessionId)), enabled: isOut && isOfSession })
  const code = typeof currency === 'string' && currency !== '' ? currency.toUpperCase() : own
  const cash = data?.balances.find((one) => one.paymentMethod === 'cash' && one.currency === code)
  const left = cash && isOut ? sumOf([cash.expected, minus(amount)]) : '0'
  if (cash === undefined || !left.startsWith('-')) return null
  return (
    <Alert color="yellow" role="status">
      {text.moreThanExpected(format.money(cash.expected, code))}
    </Alert>
  )
}
