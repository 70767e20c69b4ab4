// Below the input of a code: the way back to the password, and help for who has lost the phone.
import { Anchor, Stack, Text } from '@mantine/core'
import { text } from '../texts/sign-in.ts'

export function SecondFactorLost({ back }: { back?: () => void }) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {text.lost}
      </Text>
      {back && (
        <Anchor component="button" type="button" size="sm" w="fit-content" onClick={back}>
          {text.back}
        </Anchor>
      )}
    </Stack>
  )
}
