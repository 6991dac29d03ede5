/// Definitions, by name.
package protocol DefinitionLedger: AnyObject {
    func definition(_ name: String, in app: AppID) throws -> Definition?
    /// Definitions after a name, in the order of the names' bytes.
    func definitions(of app: AppID, after name: String, limit: Int) throws -> [Definition]
    /// The number of an app's definitions that are kept until they are removed.
    func definitionCount(of app: AppID) throws -> Int
    /// Records a use of a definition with recorded uses, if no later use is recorded.
    func noteUse(ofDefinition name: String, in app: AppID, at moment: Instant) throws
    /// Removes the definitions with recorded uses beyond `limit`, least recently used first.
    func removeDefinitions(of app: AppID, beyond limit: Int) throws
    /// Stores a definition in place of the former one of that name.
    func put(_ definition: Definition) throws
    /// - Returns: whether there was one.
    func removeDefinition(_ name: String, of app: AppID) throws -> Bool
}

/// Test devices, by name.
package protocol TestDeviceLedger: AnyObject {
    func testDevice(_ name: String, in app: AppID) throws -> TestDevice?
    /// The test devices of an app, in the order of their names' bytes.
    func testDevices(of app: AppID) throws -> [TestDevice]
    /// Stores a test device in place of the former one of that name.
    func put(_ testDevice: TestDevice) throws
    /// - Returns: whether there was one.
    func removeTestDevice(_ name: String, of app: AppID) throws -> Bool
}
