// Makes the Swift class of this name known to React Native.
#import <React/RCTBridgeModule.h>
#import <React/RCTEventEmitter.h>

@interface RCT_EXTERN_MODULE (EyotLiveActivities, RCTEventEmitter)

RCT_EXTERN_METHOD(call : (NSString *)method
                  request : (NSString *)request
                  resolve : (RCTPromiseResolveBlock)resolve
                  reject : (RCTPromiseRejectBlock)reject)

RCT_EXTERN_METHOD(observe)

@end
