import StoreContract
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContractTests {
  @Test("The SQLite store keeps the contract", arguments: StoreContract.allCases)
  func sqlite(_ clause: StoreContract) throws {
    try clause.verify(on: SQLiteSubject())
  }

  @Test("The reference keeps the contract", arguments: StoreContract.allCases)
  func memory(_ clause: StoreContract) throws {
    try clause.verify(on: MemorySubject())
  }
}
