-- Finds payments by the id that the processor gave them, as a settlement file names them. Payments without one, such as those in cash, are
-- not in the index. Building it reads all transactions, about four seconds for a million, during which transactions cannot be written.
-- Oldest server: 0072
create index transactions_by_processor_id on transactions (company_id, (body #>> '{paymentData,processorTransactionId}')) where body::text like '%"processorTransactionId":"%';
