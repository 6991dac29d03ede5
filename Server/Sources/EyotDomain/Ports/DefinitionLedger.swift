/// Definitions, by their names.
package protocol DefinitionLedger: AnyObject {
    func definition(_ name: String, in app: AppID) throws -> Definition?
    /// Those after a name, in the order of the names' bytes.
    func definitions(of app: AppID, after name: String, limit: Int) throws -> [Definition]
    /// How many an app has that are kept until they are removed.
    func definitionCount(of app: AppID) throws -> Int
    /// Notes that one was used of which that is noted, where nothing later is noted.
    func noteUse(ofDefinition name: String, in app: AppID, at moment: Instant) throws
    /// Of those whose use is noted, removes all but so many, those first that were not used for longest.
    func removeDefinitions(of app: AppID, beyond limit: Int) throws
    /// Takes the place of the one that had the name.
    func put(_ definition: Definition) throws
    /// - Returns: whether there was one.
    func removeDefinition(_ name: String, of app: AppID) throws -> Bool
}

/// Test devices, by their names.
package protocol TestDeviceLedger: AnyObject {
    func testDevice(_ name: String, in app: AppID) throws -> TestDevice?
    /// Those of an app, in the order of their names' bytes.
    func testDevices(of app: AppID) throws -> [TestDevice]
    /// Takes the place of the one that had the name.
    func put(_ testDevice: TestDevice) throws
    /// - Returns: whether there was one.
    func removeTestDevice(_ name: String, of app: AppID) throws -> Bool
}
